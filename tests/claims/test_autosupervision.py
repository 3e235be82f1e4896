"""Ver sin etiquetas: lo que se entrena en la página, con otras semillas."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/autosupervision.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_paints_better_than_who_does_not_look(chapter, seed):
    mine, blind = chapter["short_training"](seed)
    report(seed, f"error al pintar {mine:.3f}, y sin mirar {blind:.3f}")
    assert mine < 0.9 * blind


@pytest.mark.parametrize("seed", SEEDS)
def test_it_collapses_without_the_center_and_not_with_both(chapter, seed):
    both, uncentred = (
        chapter["information_of"](seed, **changes) for changes in ({}, {"balance": "nada"})
    )
    report(seed, f"información {both:.2f} con los dos y {uncentred:.2f} sin centrar")
    assert both > 0.08 > uncentred
