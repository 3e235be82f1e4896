"""BERT rellena huecos mejor que el más frecuente, y con pocas etiquetas conviene preentrenar."""

import math

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/bert.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_fills_gaps_three_times_better_than_the_most_frequent(chapter, seed):
    model = chapter["train_live"](seed)
    masks = chapter["held_out"]
    accuracy, hidden = chapter["gap_scores"](chapter["gap_hits"](model, masks), masks)
    baselines = chapter["baselines"]
    row = "; ".join(f"{name} {value:.1%}" for name, value in baselines.items())
    report(seed, f"huecos, BERT en vivo {accuracy:.1%} ({hidden:.1%} sin ver la respuesta); {row}")
    assert accuracy >= 2.5 * baselines["el más frecuente"]
    assert hidden < accuracy < baselines["dos vecinos"] - 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_few_labels_go_further_when_pretrained(chapter, seed):
    scores = chapter["few_label_scores"](seed)
    report(seed, "; ".join(f"{name} {value:.1%}" for name, value in scores.items()))
    assert scores["preentrenada"] >= scores["de cero"] + 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_read_later_costs_what_the_order_says(chapter, seed):
    measured = chapter["cost_by_turn"](seed)
    least = [(1 - turn / 7) * math.log(12) for turn in range(8)]
    gap = max(abs(a - b) for a, b in zip(measured, least, strict=True))
    report(seed, f"XLNet, lo que más se aparta de la pérdida mínima: {gap:.2f} nats")
    assert gap < 0.15
