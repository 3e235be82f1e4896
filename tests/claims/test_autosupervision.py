"""Ver sin etiquetas: lo que se entrena en la página, con otras semillas."""

from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/autosupervision.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_paints_better_than_who_does_not_look(chapter, seed):
    losses, blind = chapter["short_training"](seed)
    report(seed, f"pérdida {mean(losses[-20:]):.3f}, y sin mirar {blind:.3f}")
    assert mean(losses[-20:]) < 0.9 * blind
