"""Imagen y texto: lo que aprenden MMBT y CLIP en pocos pasos, con otras semillas."""

import math

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/imagen_y_texto.ipynb")


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
def test_each_square_apart_also_learns(chapter, seed):
    losses, blind = chapter["a_short_siglip"](seed, steps=20)
    report(seed, f"SigLIP: pérdida de {losses[0]:.1f} a {losses[-1]:.1f}; sin mirar, {blind:.2f}")
    assert losses[-1] < losses[0] - 1
