"""La tabla de las copias: está entera, el umbral es el de la página y se vuelve a medir."""

import pytest
import torch

from benchmarks import flow_copies as table
from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.multimodal.flow.metrics import copy_threshold
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows():
    return load_results(table.NAME, table.settings())


def test_every_size_and_guidance_has_three_seeds():
    for per_class in table.PER_CLASS:
        images = len(table.given(per_class, 0))
        for guidance in table.GUIDANCES:
            own = [
                row for row in rows()
                if (row["images"], row["guidance"]) == (images, guidance)
                and row["steps"] == table.Recipe().steps
            ]  # fmt: skip
            assert {row["seed"] for row in own} == SEEDS and len(own) == 3


def test_each_seed_chooses_its_digits_with_as_many_of_each():
    few = [table.given(table.PER_CLASS[0], seed) for seed in SEEDS]
    assert all(some.labels.bincount().tolist() == [table.PER_CLASS[0]] * 10 for some in few)
    assert not torch.equal(few[0].images, few[1].images)


def test_the_threshold_is_that_of_the_digits_it_was_given():
    """Con menos cifras, la más parecida queda más lejos, también la de las reservadas."""
    usual = [row for row in rows() if row["guidance"] == 1.0 and row["seed"] == 0]
    thresholds = {row["images"]: row["threshold"] for row in usual}
    digits, held_out = split_digits()
    assert thresholds[50] > thresholds[200] > copy_threshold(digits.images, held_out.images)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: cinco pasos."""
    stored = [row for row in rows() if row["steps"] == table.SHORT]
    again = list(table.run(table.PER_CLASS[0], 0, table.SHORT))
    assert len(again) == len(stored) == len(table.GUIDANCES)
    for new, old in zip(again, stored, strict=True):
        for key in ("loss", "loss_held_out", "threshold", "distance_held_out"):
            assert new[key] == pytest.approx(old[key], abs=0.02), key
        assert new["copied"] == pytest.approx(old["copied"], abs=0.1)
