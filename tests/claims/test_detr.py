"""DETR: el detector con anclas aprende en la página, y muy por encima de no mirar."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento

BAR = 0.75


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/detr.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_detector_learns_in_the_page(chapter, seed):
    _, measured = chapter["train_live"](seed)
    blind = chapter["blind_score"]()
    row = f"AP {measured['AP']:.3f}, AP50 {measured['AP50']:.3f}"
    report(seed, f"{row} (sin mirar: {blind['AP']:.3f} y {blind['AP50']:.3f})")
    assert measured["AP"] > BAR and measured["AP"] > 5 * blind["AP"]
