"""Modelos generalistas: lo que se afirma de cada uno, con otras semillas."""

import math

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/generalistas.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bert_that_sees_beats_the_most_frequent_group(chapter, seed):
    _, _, accuracy, majority = chapter["a_short_mmbt"](seed)
    report(
        seed,
        f"MMBT con pocos pasos {accuracy:.1%}, el grupo más frecuente {majority:.1%}",
    )
    assert accuracy > majority + 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_two_towers_start_to_meet(chapter, seed):
    losses = chapter["a_short_clip"](seed)
    last = sum(losses[-5:]) / 5
    report(seed, f"CLIP: pérdida {last:.2f}; sin saber nada, {math.log(64):.2f}")
    assert last < math.log(64) - 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_each_modality_fills_the_holes_of_the_other(chapter, seed):
    model, _, _, _, unseen = chapter["watch_and_read"](seed)
    found = chapter["crossing"](model, unseen)
    report(
        seed,
        ", ".join(f"{k} {a:.1%} y {b:.1%} sola" for k, (a, b) in found.items()),
    )
    assert all(both > alone + 0.05 for both, alone in found.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_with_few_labels_pretraining_wins(chapter, seed):
    found = chapter["few_labels_race"](seed)
    report(
        seed,
        "AUROC: " + ", ".join(f"{name} {area:.3f}" for name, area in found.items()),
    )
    assert found["preentrenado"] > max(found["de cero"], found["recuentos"])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_network_learns_the_five_tasks_at_once(chapter, seed):
    loss = chapter["start_training"](seed)
    report(seed, f"Gato: pérdida de {loss[0]:.2f} a {sum(loss[-4:]) / 4:.2f}")
    assert sum(loss[-4:]) / 4 < 0.7 * loss[0]
