"""Cajas como palabras: ida y vuelta, la cota del redondeo y qué palabra cabe en cada sitio."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.geometry.boxes import iou, to_centers, to_corners
from tfcourse.tokenizers.boxes import BoxVocabulary, dequantize, quantize, worst_iou

VOCABULARY = BoxVocabulary(65, 4)


@settings(deadline=None, max_examples=60)
@given(st.floats(0, 1), st.integers(2, 3000))
def test_a_coordinate_moves_half_a_gap_at_most(value, n_bins):
    value = torch.tensor(value, dtype=torch.float64)
    back = dequantize(quantize(value, n_bins), n_bins)
    assert abs(float(back - value)) <= 0.5 / (n_bins - 1) + 1e-6


def test_every_bin_survives_the_trip_and_the_borders_are_bins():
    bins = torch.arange(33)
    assert (quantize(dequantize(bins, 33), 33) == bins).all()
    assert quantize(torch.tensor([-0.2, 0.0, 1.0, 1.3]), 33).tolist() == [0, 0, 32, 32]


def test_the_scenes_lose_nothing_with_a_bin_per_edge():
    scenes = reserved_scenes(50, SHAPE_SCENES)
    words = VOCABULARY.encode(scenes.boxes, scenes.classes)
    kept = scenes.present
    torch.testing.assert_close(VOCABULARY.decode_boxes(words)[kept], scenes.boxes[kept])
    assert (words[..., -1] - 65 == scenes.classes).all()


def test_the_words_are_y_x_y_x_and_class():
    box = to_centers(torch.tensor([[0.25, 0.5, 0.75, 1.0]]))
    assert VOCABULARY.encode(box, torch.tensor([3])).tolist() == [[32, 16, 64, 48, 68]]


@settings(deadline=None, max_examples=40)
@given(st.floats(0.06, 0.9), st.floats(0.06, 0.9), st.integers(9, 300))
def test_the_bound_is_the_worst_of_all_the_ways_to_round(width, height, n_bins):
    delta = 0.5 / (n_bins - 1)
    if min(width, height) <= 2 * delta:
        return
    true = torch.tensor([[0.0, 0.0, width, height]], dtype=torch.float64)
    moves = torch.tensor(list(itertools.product((-delta, 0, delta), repeat=4)), dtype=torch.float64)
    worst = float(iou(true, true + moves).min())
    assert abs(worst - worst_iou(width, height, n_bins)) < 1e-6


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(5, 200))
def test_no_box_falls_below_its_bound(numbers, n_bins):
    x, y = sorted(numbers[:2]), sorted(numbers[2:])
    corners = torch.tensor([[x[0], y[0], x[1], y[1]]], dtype=torch.float64)
    width, height = x[1] - x[0], y[1] - y[0]
    if min(width, height) < 1.5 / (n_bins - 1):
        return
    rounded = dequantize(quantize(corners, n_bins), n_bins).double()
    assert float(iou(corners, rounded)) >= worst_iou(width, height, n_bins) - 1e-4


def test_a_box_between_two_bins_may_vanish():
    assert worst_iou(0.01, 0.5, 33) == 0.0


def test_a_box_that_ends_before_it_starts_measures_nothing():
    found = VOCABULARY.decode_boxes(torch.tensor([[40, 10, 20, 30, 65]]))
    corners = to_corners(found)[0]
    assert found[0, 3] == 0
    torch.testing.assert_close(corners[0], torch.tensor(10 / 64))


def test_which_words_fit_in_each_place():
    coordinates, classes = set(range(65)), set(range(65, 69))
    for place in range(12):
        allowed = set(VOCABULARY.allowed(place).nonzero()[:, 0].tolist())
        assert allowed == (classes if place % 5 == 4 else coordinates)
        stopping = set(VOCABULARY.allowed(place, stop=True).nonzero()[:, 0].tolist())
        assert stopping == allowed | ({VOCABULARY.stop_id} if place % 5 == 0 else set())


def test_the_symbols_are_all_different():
    v = VOCABULARY
    assert [v.noise_id, v.start_id, v.stop_id, v.pad_id] == [69, 70, 71, 72] and len(v) == 73
    assert v.spell(torch.tensor([3, 66, 69, 71]), ("a", "b", "c", "d")) == [
        "3",
        "b",
        "RUIDO",
        "FIN",
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantize(torch.zeros(1), 1), "al menos dos marcas"),
        (lambda: BoxVocabulary(65, 0), "al menos una clase"),
        (lambda: VOCABULARY.encode(torch.zeros(1, 4), torch.tensor([4])), "van de 0 a 3"),
        (lambda: VOCABULARY.spell(torch.tensor([0]), ("a",)), "hay 1 nombres"),
    ],
)
def test_misuse_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()
