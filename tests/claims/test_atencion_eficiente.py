"""Atención eficiente: quien no ve lejos no acierta lejos, y quien lo ve todo, sí."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento

STEPS = 300


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/atencion_eficiente.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_reach_decides_who_finds_the_far_needles(chapter, seed):
    scores = {}
    for kernel in ("fusionada", "ventana", "Longformer", "FNet"):
        model = chapter["train_finder"](kernel, seed, steps=STEPS)
        scores[kernel] = chapter["accuracy"](chapter["hits"](model))
    row = "; ".join(
        f"{name} total {total:.1%}, cerca {near:.1%}, lejos {far:.1%}"
        for name, (total, near, far) in scores.items()
    )
    report(seed, f"{row}; trivial {chapter['majority']:.1%}")
    assert min(scores["fusionada"][2], scores["Longformer"][2]) >= 0.9
    assert scores["ventana"][1] >= 0.8 and scores["ventana"][2] <= 0.2
    assert scores["FNet"][0] <= 0.2 < 0.8 <= scores["fusionada"][0]
