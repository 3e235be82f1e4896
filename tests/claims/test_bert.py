"""BERT rellena huecos mejor que el más frecuente, y preentrenar compra etiquetas."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/bert.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_fills_gaps_three_times_better_than_the_most_frequent(chapter, seed):
    model, _ = chapter["train_live"](seed, every=10_000)
    accuracy = chapter["masked_accuracy"](model, chapter["held_out"])
    baselines = chapter["baselines"]
    row = "; ".join(f"{name} {value:.1%}" for name, value in baselines.items())
    report(seed, f"huecos, BERT en vivo {accuracy:.1%}; {row}")
    assert accuracy >= 3 * baselines["el más frecuente"]


@pytest.mark.parametrize("seed", SEEDS)
def test_few_labels_go_further_when_pretrained(chapter, seed):
    scores = chapter["few_label_scores"](seed)
    report(seed, "; ".join(f"{name} {value:.1%}" for name, value in scores.items()))
    assert scores["preentrenada"] >= scores["de cero"] + 0.08
