"""Cabezas de pose: ida y vuelta, campanas que suman lo que deben y la lectura de un mapa."""

import math

import pytest
import torch
from torch import nn

from tfcourse.layers.image.keypoint_heads import (
    SPREAD,
    HeatmapHead,
    RegressionHead,
    SimCCHead,
    bell,
    heatmaps,
    peaks,
)

HEADS = {
    "regresión": lambda: RegressionHead(16),
    "SimCC": lambda: SimCCHead(16, 128),
    "mapa de calor": lambda: HeatmapHead(16, 32),
}


def places(*shape, seed=0):
    return 0.05 + 0.9 * torch.rand(*shape, 2, generator=torch.Generator().manual_seed(seed))


def test_the_bell_is_the_gaussian_of_the_formula():
    point, bins = torch.tensor([0.3], dtype=torch.double), 64
    values = [math.exp(-((((i + 0.5) / bins) - 0.3) ** 2) / (2 * SPREAD**2)) for i in range(bins)]
    expected = torch.tensor(values, dtype=torch.double) / sum(values)
    torch.testing.assert_close(bell(point, bins)[0], expected)


def test_regression_loss_is_the_mean_distance():
    head = RegressionHead(16)
    predicted = torch.tensor([[0.2, 0.9], [0.5, 0.1]])
    points = torch.tensor([[0.3, 0.5], [0.5, 0.4]])
    assert head.loss(predicted, points).item() == pytest.approx((0.1 + 0.4 + 0.0 + 0.3) / 4)
    assert head.loss(points, points) == 0


def test_simcc_loss_is_a_soft_cross_entropy():
    """Contra la de PyTorch, que admite repartos como respuesta."""
    head, points = SimCCHead(16, 40).double(), places(3, 5).double()
    predicted = torch.randn(3, 5, 2, 40, dtype=torch.double)
    theirs = nn.functional.cross_entropy(predicted.flatten(0, 2), bell(points, 40).flatten(0, 2))
    torch.testing.assert_close(head.loss(predicted, points), theirs)


def test_heatmap_peaks_agree_with_the_library():
    """El máximo de cada mapa, antes de afinarlo, es el de ViTPose en `transformers`."""
    library = pytest.importorskip("transformers.models.vitpose.image_processing_vitpose")
    maps = torch.rand(4, 13, 20, 20, generator=torch.Generator().manual_seed(1))
    theirs, scores = library.get_keypoint_predictions(maps.numpy())
    found, height = peaks(maps)
    torch.testing.assert_close(height, torch.from_numpy(scores)[..., 0].float())
    away = (found * 20 - 0.5 - torch.from_numpy(theirs).float()).abs()
    assert away.max() <= 0.25 + 1e-5


@pytest.mark.parametrize("name", ["SimCC", "mapa de calor"])
def test_a_perfect_prediction_is_read_back(name):
    head, points = HEADS[name](), places(6, 13)
    perfect = (
        bell(points, head.bins).clamp(min=1e-9).log()
        if name == "SimCC"
        else heatmaps(points, head.side)
    )
    found, confidence = head.decode(perfect)
    cell = 1 / (head.bins if name == "SimCC" else head.side)
    assert (found - points).abs().max() <= cell / 2 + 1e-6
    assert confidence.min() > 0.5
    worse = head.loss(perfect, points + 0.1)
    assert head.loss(perfect, points) < worse


def test_the_loss_of_a_map_is_summed_over_its_cells():
    head, points = HeatmapHead(8, 6), places(1, 2)
    empty = torch.zeros(1, 2, 6, 6)
    by_map = [float(heatmaps(points[:, k], 6).square().sum()) for k in range(2)]
    assert float(head.loss(empty, points)) == pytest.approx(sum(by_map) / 2)


def test_reading_between_cells():
    """El cuarto de casilla acerca el sitio al verdadero; sin él, el error medio es mayor."""
    points = places(500, seed=4)
    maps = heatmaps(points, 16, spread=0.08)
    found, _ = peaks(maps)
    place = maps.flatten(1).argmax(1)
    plain = torch.stack([place % 16, place // 16], dim=-1).add(0.5) / 16
    assert (found - points).abs().mean() < 0.7 * (plain - points).abs().mean()


def test_columns_are_x_and_rows_are_y():
    maps = torch.zeros(1, 8, 8)
    maps[0, 2, 6] = 1.0
    assert peaks(maps)[0][0].tolist() == pytest.approx([6.5 / 8, 2.5 / 8])
    hot = heatmaps(torch.tensor([[0.8, 0.3]]), 8)[0]
    assert (hot == hot.max()).nonzero()[0].tolist() == [2, 6]


def test_peaks_at_the_border_stay_inside():
    maps = torch.zeros(2, 5, 5)
    maps[0, 0, 0] = maps[1, 4, 4] = 1.0
    found, _ = peaks(maps)
    assert found[0].tolist() == pytest.approx([0.1, 0.1])
    assert found[1].tolist() == pytest.approx([0.9, 0.9])


def test_a_spread_simcc_is_less_sure():
    head = SimCCHead(16, 100)
    narrow = bell(torch.tensor([[[0.5, 0.5]]]), 100).log()
    _, sure = head.decode(narrow)
    _, unsure = head.decode(torch.zeros(1, 1, 2, 100))
    assert unsure < 0.1 < 0.5 < sure


def test_with_few_bins_the_neighbourhood_is_one_bin_to_each_side():
    chances = torch.tensor([0.02, 0.08, 0.2, 0.4, 0.15, 0.1, 0.05])
    _, confidence = SimCCHead(16, 7).decode(chances.log().expand(1, 1, 2, 7))
    assert confidence.item() == pytest.approx(0.75, abs=1e-5)


@pytest.mark.parametrize("name", HEADS)
def test_gradients_reach_the_tokens(name):
    head, tokens = HEADS[name](), torch.randn(2, 3, 16, requires_grad=True)
    head.loss(head(tokens), places(2, 3)).backward()
    assert tokens.grad.abs().sum(-1).min() > 0
