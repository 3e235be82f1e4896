"""DETR: sin añadirle nada aprende en la página, y encuentra más de lo que coloca."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]

BAR = 0.2


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/detr.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_detr_learns_in_the_page(chapter, seed):
    detector, measured = chapter["train_live"](seed)
    blind = chapter["blind_score"]()
    row = f"AP {measured['AP']:.3f}, AP50 {measured['AP50']:.3f}"
    report(seed, f"{row} (sin mirar: {blind['AP']:.3f} y {blind['AP50']:.3f})")
    assert measured["AP"] > BAR and measured["AP"] > 5 * blind["AP"]
    assert measured["AP50"] > measured["AP"] + 0.15
    assert len(detector.history.loss) == chapter["N_UPDATES"]
