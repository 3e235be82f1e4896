"""Las anclas: el emparejamiento baila al empezar, y el detector con todo aprende en la página."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.vision.anchors.owners import changes_of_owner
from tfcourse.vision.detection.recipe import LADDER

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]

BAR = 0.75


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/anclas.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_pairing_dances_at_the_start_and_anchors_hold_it(chapter, seed):
    plain, anchored = (changes_of_owner(LADDER[step], seed) for step in ("DETR", "+ anclas"))
    report(seed, f"objetos que cambian de consulta: DETR, {plain:.3f}; con anclas, {anchored:.3f}")
    assert plain > 0.08 and anchored < plain / 2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_detector_learns_in_the_page(chapter, seed):
    detector, measured = chapter["train_live"](seed)
    blind = chapter["blind_score"]()
    row = f"AP {measured['AP']:.3f}, AP50 {measured['AP50']:.3f}"
    report(seed, f"{row} (sin mirar: {blind['AP']:.3f} y {blind['AP50']:.3f})")
    assert measured["AP"] > BAR and measured["AP"] > 5 * blind["AP"]
    # Las consultas de dos etapas no se quedan mirando dentro de su caja, como hace DETR.
    inside, size = chapter["look_of"](detector, reserved_scenes(40, SHAPE_SCENES).images)
    report(seed, f"dentro de la caja, {inside:.3f} de la mirada; repartida, {size:.3f}")
    assert inside < 2 * size
