"""Fusión de modalidades: dos modalidades estropeadas valen más que la mejor de las dos."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.models.fusion import UNIMODAL

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/fusion.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_two_damaged_senses_beat_the_best_one(chapter, seed):
    _, accuracy = chapter["contest"](seed)
    report(seed, " · ".join(f"{name} {value:.1%}" for name, value in accuracy.items()))
    alone = [accuracy[name] for name in UNIMODAL]
    assert all(0.5 < value < 0.9 for value in alone)
    assert accuracy["varios a uno"] > max(alone) + 0.05
    assert accuracy["concatenación temprana"] > max(alone) - 0.02
