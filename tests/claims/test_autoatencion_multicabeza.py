"""Autoatención: una cabeza no puede donde dos sí, y sin el divisor se aprende más despacio."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.metrics.multiplications import global_attention_macs

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/autoatencion_multicabeza.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_two_heads_do_what_one_cannot(chapter, seed):
    train, measure = chapter["train_heads"], chapter["both_right"]
    scores = {heads: measure(train(heads, seed))["aciertos"] for heads in (1, 2, 4)}
    hidden = measure(train(1, seed, d_hidden=128))["aciertos"]
    row = ", ".join(f"{heads} cabezas {score:.1%}" for heads, score in scores.items())
    report(seed, f"{row}; 1 cabeza y capa oculta {hidden:.1%}")
    assert scores[1] < 0.55 and min(scores[2], scores[4]) >= 0.97
    assert hidden >= 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_scaling_learns_sooner(chapter, seed):
    curves = chapter["compare_scaling"](seed)
    scaled, unscaled = (curves[name][1][-1] for name in ("con √d", "sin √d"))
    report(seed, f"con divisor {scaled:.1%}, sin él {unscaled:.1%}")
    assert scaled >= 0.95 and unscaled <= scaled - 0.2


@pytest.mark.parametrize("width", [64, 256, 4096])
def test_projections_and_pairs_cost_the_same_at_twice_the_width(width):
    def ratio(length):
        pairs = 2 * length**2 * width
        return (global_attention_macs(length, width) - pairs) / pairs

    assert ratio(width) == 2 and ratio(2 * width) == 1 and ratio(4 * width) == 0.5
