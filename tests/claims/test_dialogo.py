"""Lo que afirma la página «Conversar sobre una imagen»."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.datasets.scenes.asked_scenes import KINDS

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/dialogo.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_with_the_picture_of_another_it_is_right_less_often(chapter, seed):
    found = chapter["gain"](seed)
    own, other = (sum(found[kind][side] for kind in KINDS) / len(KINDS) for side in (0, 1))
    report(seed, f"acierto {own:.2f} con su imagen y {other:.2f} con la de otra")
    assert own > other + 0.1
