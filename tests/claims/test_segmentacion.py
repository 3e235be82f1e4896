"""Segmentación: el segmentador de máscaras aprende en la página, y muy por encima de no mirar."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.datasets.scenes.scenes import CROWDED_SCENES
from tfcourse.vision.segmentation.recipe import blind_score

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]

IOU_BAR, PANOPTIC_BAR = 0.8, 0.75


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/segmentacion.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_segmenter_learns_in_the_page(chapter, seed):
    segmenter, measured = chapter["train_live"](seed)
    (tier,) = chapter["train_live"].__defaults__
    blind = blind_score(tier)
    row = f"mIoU {measured['mIoU']:.3f}, PQ {measured['PQ']:.3f}, AP {measured['AP']:.3f}"
    report(seed, f"{row} (sin mirar: {blind['mIoU']:.3f} y {blind['PQ']:.3f})")
    assert measured["mIoU"] > IOU_BAR and measured["PQ"] > PANOPTIC_BAR
    assert measured["PQ"] > 2 * blind["PQ"]
    crowded = segmenter.score(scenes=CROWDED_SCENES)
    drawn, counted = (measured[key] - crowded[key] for key in ("SQ", "RQ"))
    report(seed, f"apretadas: SQ {-drawn:+.3f}, RQ {-counted:+.3f}")
    assert counted > 0.1 and drawn < counted / 2
