"""Pose: el modelo de tokens aprende en la página, y muy por encima de la pose media."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.datasets.scenes.figures import reserved_figures
from tfcourse.vision.pose.recipe import average_pose, single_score

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/pose.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_figure_is_learned_in_the_page(chapter, seed):
    _, measured = chapter["train_live"](seed)
    test = reserved_figures(500)
    blind = single_score(average_pose(test), test)["PCK"]
    row = f"PCK@0.1 {measured['PCK']:.3f}, tapadas {measured['tapadas']:.3f}"
    report(seed, f"{row} (pose media: {blind:.3f})")
    assert measured["PCK"] > chapter["BAR"] and blind < 0.35
    assert measured["visibles"] > measured["tapadas"] > 2 * blind
