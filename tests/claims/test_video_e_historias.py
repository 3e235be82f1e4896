"""Vídeo e historias: cruzar de una modalidad a otra y predecir con pocas etiquetas."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/video_e_historias.ipynb")


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
