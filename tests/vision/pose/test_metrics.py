"""Medidas de pose: contra bucles y contra la cuenta de `pycocotools`."""

import math

import numpy as np
import pytest
import torch

from tfcourse.datasets.folders.keypoint_folders import coco_people
from tfcourse.datasets.scenes.figures import CROWD, reserved_figures
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.vision.pose.metrics import (
    SIGMAS,
    Poses,
    keypoint_precision,
    locate_people,
    oks,
    pck,
    people_precision,
)
from workshop.rehearsal.coco import make_coco


def some(*shape, seed=0):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double)


def exact(batch, shift=0.0):
    owners = batch.present.nonzero()[:, 0]
    return Poses(owners, batch.keypoints[batch.present] + shift, torch.ones(len(owners)))


def test_pck_by_loops():
    found, points, sides = some(7, 13, 2), some(7, 13, 2, seed=1), some(7, seed=2)
    counted = some(7, 13, seed=3) > 0.4
    right = total = 0
    for i in range(7):
        for k in range(13):
            if counted[i, k]:
                total += 1
                right += math.dist(found[i, k], points[i, k]) <= 0.5 * sides[i]
    assert pck(found, points, sides, alpha=0.5, count=counted) == pytest.approx(right / total)


def test_pck_depends_on_the_size_of_the_figure():
    points = torch.zeros(2, 1, 2)
    found = points + torch.tensor([0.05, 0.0])
    assert pck(found, points, torch.tensor([1.0, 0.2])) == 0.5


def test_pck_of_nothing_is_explained():
    with pytest.raises(ValueError, match="ninguna articulación que contar"):
        pck(torch.zeros(1, 2, 2), torch.zeros(1, 2, 2), torch.ones(1), count=torch.zeros(1, 2) > 0)


def test_oks_by_hand():
    """Un error de κ·s en una articulación y ninguno en las demás: (12 + e^−½)/13."""
    points, area = torch.full((1, 13, 2), 0.5), torch.tensor([0.04])
    found = points.clone()
    found[0, 3, 0] += 2 * SIGMAS[3] * 0.2
    assert oks(found, points, area).item() == pytest.approx((12 + math.exp(-0.5)) / 13, abs=1e-6)


def test_oks_agrees_with_pycocotools():
    from pycocotools.cocoeval import COCOeval

    batch = reserved_figures(12, CROWD)
    found = exact(batch)
    found.keypoints = found.keypoints + 0.03 * torch.randn(
        found.keypoints.shape, generator=torch.Generator().manual_seed(0)
    )
    from tfcourse.vision.pose.metrics import _annotations, _guesses

    truth = _annotations(batch, 96)
    evaluation = COCOeval.__new__(COCOeval)
    from pycocotools.cocoeval import Params

    evaluation.params = Params("keypoints")
    evaluation.params.kpt_oks_sigmas = np.array(SIGMAS)
    for image in range(12):
        rows = [row | {"ignore": 0} for row in truth if row["image_id"] == image]
        said = [row for row in _guesses(found, 96) if row["image_id"] == image]
        evaluation._gts, evaluation._dts = {(image, 1): rows}, {(image, 1): said}
        theirs = evaluation.computeOks(image, 1)
        ours = oks(
            found.keypoints[found.owners == image],
            batch.keypoints[image, batch.present[image]],
            batch.areas[image, batch.present[image]],
        )
        # Las suyas van de más a menos confianza; con todas iguales, en el mismo orden.
        np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-5)


def test_exact_poses_are_perfect_and_moved_ones_are_not():
    batch = reserved_figures(20, CROWD)
    assert keypoint_precision(exact(batch), batch)["AP"] == pytest.approx(1.0)
    measured = keypoint_precision(exact(batch, shift=0.02), batch)
    assert measured["AP"] < 0.7 and measured["AP50"] > measured["AP75"]


def test_missing_and_repeated_poses_cost():
    batch = reserved_figures(20, CROWD)
    found = exact(batch)
    half = Poses(found.owners[::2], found.keypoints[::2], found.scores[::2])
    assert keypoint_precision(half, batch)["AP"] == pytest.approx(0.5, abs=0.05)
    # Repetidas y mal puestas, con más confianza que las buenas.
    twice = Poses(
        torch.cat([found.owners, found.owners]),
        torch.cat([found.keypoints, found.keypoints + 0.5]),
        torch.cat([0.5 * found.scores, found.scores]),
    )
    assert keypoint_precision(twice, batch)["AP"] < 0.7


def test_saying_nothing_is_zero(capsys):
    batch = reserved_figures(3, CROWD)
    nothing = Poses(torch.zeros(0, dtype=torch.long), torch.zeros(0, 13, 2), torch.zeros(0))
    assert keypoint_precision(nothing, batch)["AP"] == 0
    empty = batch._replace(counts=torch.zeros(3, dtype=torch.long))
    assert math.isnan(keypoint_precision(exact(batch), empty)["AP"])
    assert capsys.readouterr().out == ""


def test_tolerances_are_those_of_coco():
    """Las de COCO van nariz, ojos y orejas, y después, del hombro al tobillo, en nuestro orden."""
    from pycocotools.cocoeval import Params

    published = Params("keypoints").kpt_oks_sigmas.tolist()
    assert list(SIGMAS) == pytest.approx([published[5], *published[5:]])


@pytest.fixture
def people(tmp_path):
    """Las personas de evaluar de un COCO diminuto."""
    make_coco(tmp_path)
    notes = tmp_path / "annotations/person_keypoints_val2017.json"
    return coco_people(tmp_path / "val2017", notes, 32)


def test_people_are_measured_in_the_pixels_of_their_photo(people):
    points = torch.stack([people[row][1] for row in range(len(people))])
    sure = torch.ones(len(people))
    assert people_precision(points, sure, people)["AP"] == pytest.approx(1.0)
    # El sitio de la que no está anotada no cuenta; y todas, un cuarto de recorte más allá, fallan.
    unmarked = points.clone()
    unmarked[:, 3] = 0.9
    assert people_precision(unmarked, sure, people)["AP"] == pytest.approx(1.0)
    assert people_precision(points + 0.25, sure, people)["AP"] == 0


def test_people_are_located_batch_by_batch(people):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16}
    model = KeypointTransformer(PoseConfig(17, 32, **sizes)).eval()
    images = torch.stack([people[row][0] for row in range(len(people))])
    points, confidence = model.locate(images)
    found, scores = locate_people(model, people, batch_size=3)
    torch.testing.assert_close(found, points)
    torch.testing.assert_close(scores, confidence.mean(dim=1))
