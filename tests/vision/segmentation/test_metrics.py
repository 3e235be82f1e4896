"""Medidas de segmentación: contra torchmetrics, contra cuentas a mano, y sus límites."""

import pytest
import torch

from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, Scenes, make_scenes
from tfcourse.datasets.scenes.segments import panoptic_map
from tfcourse.vision.segmentation.decoding import Instances
from tfcourse.vision.segmentation.metrics import (
    MISSES,
    class_ious,
    found_objects,
    mask_average_precision,
    mean_iou,
    missed_objects,
    panoptic_quality,
)


def crowd(n=20, seed=0):
    return make_scenes(n, torch.Generator().manual_seed(seed), CROWDED_SCENES)


def damaged(scenes, seed=1):
    """Una respuesta a medias: objetos movidos, juntados, olvidados y con otra clase."""
    g = torch.Generator().manual_seed(seed)
    answer = panoptic_map(scenes)
    answer = answer.roll(2, dims=2)
    for image, count in enumerate(scenes.counts.tolist()):
        kinds = torch.rand(count, generator=g)
        for thing in range(count):
            own = answer[image, ..., 1] == thing + 1
            if kinds[thing] < 0.2:
                answer[image, own] = 0  # se olvida
            elif kinds[thing] < 0.4:
                answer[image, own] = torch.tensor([1 + thing % 4, thing + 1])
            elif kinds[thing] < 0.5 and thing:
                answer[image, own] = torch.tensor([int(answer[image, own][0, 0]), thing])
    # Un objeto es de una sola clase: la de su primer punto.
    for image in range(len(answer)):
        for number in answer[image, ..., 1].unique().tolist():
            own = answer[image, ..., 1] == number
            answer[image, own, 0] = answer[image, own, 0][0] if number else 0
    return answer


@pytest.mark.parametrize("seed", range(3))
def test_panoptic_quality_is_the_one_of_torchmetrics(seed):
    from torchmetrics.detection import PanopticQuality

    scenes = crowd(seed=seed)
    ours, real = damaged(scenes, seed), panoptic_map(scenes)
    theirs = PanopticQuality(things={1, 2, 3, 4}, stuffs={0}, return_sq_and_rq=True)
    theirs.update(ours, real)
    wanted = [float(x) for x in theirs.compute()]
    found = panoptic_quality(ours, real, 5)
    assert [found[name] for name in ("PQ", "SQ", "RQ")] == pytest.approx(wanted, abs=1e-6)
    assert 0.2 < found["PQ"] < 0.9


@pytest.mark.parametrize("seed", range(3))
def test_mean_iou_is_the_one_of_torchmetrics(seed):
    from torchmetrics import JaccardIndex

    scenes = crowd(seed=seed)
    ours = damaged(scenes, seed)[..., 0]
    theirs = JaccardIndex(task="multiclass", num_classes=5)(ours, scenes.semantic)
    assert mean_iou(ours, scenes.semantic, 5) == pytest.approx(float(theirs), abs=1e-6)


def test_iou_by_hand():
    """Dos clases en cuatro puntos: 1 común de 2 y 2 comunes de 3. La tercera no está."""
    real, ours = torch.tensor([[[0, 0, 1, 1]]]), torch.tensor([[[0, 1, 1, 1]]])
    found = class_ious(ours, real, 3)
    assert found[:2].tolist() == pytest.approx([1 / 2, 2 / 3]) and found[2].isnan()
    assert mean_iou(ours, real, 3) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_quality_by_hand():
    """Un segmento de 4 puntos con 3 bien (IoU 3/4), otro inventado y uno sin encontrar."""
    real, ours = torch.zeros(1, 1, 20, 2).long(), torch.zeros(1, 1, 20, 2).long()
    real[..., 0:4, :] = torch.tensor([1, 1])
    real[..., 10:14, :] = torch.tensor([1, 2])
    ours[..., 0:3, :] = torch.tensor([1, 1])
    ours[..., 15:18, :] = torch.tensor([1, 2])
    found = panoptic_quality(ours, real, 2)
    things = 0.75 / (1 + 0.5 + 0.5)
    # El fondo mide 12 puntos y se dicen 14: comunes 9, IoU 9/17.
    rest = 9 / 17
    assert found["PQ"] == pytest.approx((things + rest) / 2)
    assert found["SQ"] == pytest.approx((0.75 + 9 / 17) / 2)
    assert found["RQ"] == pytest.approx((0.5 + 1) / 2)


def test_exact_answers_get_everything():
    scenes = crowd()
    real = panoptic_map(scenes)
    assert panoptic_quality(real, real, 5) == {"PQ": 1.0, "SQ": 1.0, "RQ": 1.0}
    # Una clase que no sale no baja ninguna media.
    assert panoptic_quality(real, real, 6) == {"PQ": 1.0, "SQ": 1.0, "RQ": 1.0}
    assert found_objects(real, scenes).equal(scenes.present)
    exact = Instances(scenes.masks, scenes.classes + 1, scenes.present.float())
    assert mask_average_precision(exact, scenes)["AP"] == pytest.approx(1.0)


def test_object_numbers_do_not_matter():
    scenes = crowd()
    real, ours = panoptic_map(scenes), damaged(scenes)
    other = ours.clone()
    other[..., 1] = (50 - other[..., 1]) * (other[..., 0] > 0)
    assert panoptic_quality(other, real, 5) == panoptic_quality(ours, real, 5)


def test_joining_is_punished_by_panoptic_but_not_by_iou():
    """Todos los objetos de una clase, como uno solo: la mIoU no lo nota; la PQ, sí."""
    scenes = crowd(60)
    real = panoptic_map(scenes)
    joined = real.clone()
    joined[..., 1] = joined[..., 0]
    assert mean_iou(joined[..., 0], scenes.semantic, 5) == 1.0
    assert panoptic_quality(joined, real, 5)["PQ"] < 0.8
    assert found_objects(joined, scenes).sum() < scenes.counts.sum()


def test_each_miss_has_its_reason():
    """Cuatro barras de ocho puntos: exactas, y con cada una de las cuatro faltas."""
    bars = torch.zeros(1, 4, 8, 8, dtype=torch.bool)
    bars[0, torch.arange(4), torch.arange(4)] = True
    kinds = torch.tensor([[0, 1, 2, 2]])
    semantic = (bars * (kinds[..., None, None] + 1)).sum(1)
    images, boxes = torch.zeros(1, 3, 8, 8), torch.zeros(1, 4, 4)
    scenes = Scenes(images, boxes, kinds, torch.tensor([4]), bars, semantic)
    real = panoptic_map(scenes)
    assert sum(missed_objects(real, scenes).values()) == 0
    another = real.clone()
    another[0, 1, :, 0] = 4
    assert missed_objects(another, scenes) == dict.fromkeys(MISSES, 0) | {"otra clase": 1}
    joined = real.clone()
    joined[0, 3] = joined[0, 2]
    assert missed_objects(joined, scenes) == dict.fromkeys(MISSES, 0) | {"junta con otra": 2}
    silent = real.clone()
    silent[0, 3, 3:] = 0
    assert missed_objects(silent, scenes) == dict.fromkeys(MISSES, 0) | {"sin contestar": 1}
    halved = real.clone()
    halved[0, 3, :4] = torch.tensor([3, 9])
    assert missed_objects(halved, scenes) == dict.fromkeys(MISSES, 0) | {"mal dibujada": 1}


def test_precision_of_half_masks():
    """A cada máscara se le quita un quinto de los puntos: pasa siete de los diez umbrales."""
    scenes = crowd()
    masks = scenes.masks.clone()
    for image, count in enumerate(scenes.counts.tolist()):
        for thing in range(count):
            points = masks[image, thing].nonzero()
            lost = points[: round(0.2 * len(points))]
            masks[image, thing][lost[:, 0], lost[:, 1]] = False
    found = mask_average_precision(
        Instances(masks, scenes.classes + 1, scenes.present.float()), scenes
    )
    assert found["AP50"] == pytest.approx(1.0) and found["AP75"] == pytest.approx(1.0)
    assert 0.55 < found["AP"] < 0.72
    wrong = Instances(masks, (scenes.classes + 1) % 4 + 1, scenes.present.float())
    assert mask_average_precision(wrong, scenes)["AP"] < 0.1
    nothing = Instances(masks & False, scenes.classes, scenes.present.float())
    assert not mask_average_precision(nothing, scenes)["AP"] > 0


def test_half_is_not_enough():
    """Con una IoU de 1/2 justa no hay acierto: dos segmentos podrían reclamar el mismo."""
    real, ours = torch.zeros(1, 1, 8, 2).long(), torch.zeros(1, 1, 8, 2).long()
    real[..., :4, :], ours[..., :2, :] = torch.tensor([1, 1]), torch.tensor([1, 1])
    assert panoptic_quality(ours, real, 2)["PQ"] == pytest.approx((0 + 4 / 6) / 2)
    ours[..., :3, :] = torch.tensor([1, 1])
    assert panoptic_quality(ours, real, 2)["PQ"] == pytest.approx((3 / 4 + 4 / 5) / 2)


def test_finding_an_object_takes_its_class_and_more_than_half():
    scenes = crowd(1)
    masks = torch.zeros_like(scenes.masks)
    masks[0, 0, 3, :4] = True
    scenes = scenes._replace(masks=masks, counts=torch.tensor([1]))
    kind = int(scenes.classes[0, 0]) + 1
    for points, said, found in ((4, kind, True), (3, kind, True), (2, kind, False),
                                (4, kind % 4 + 1, False)):  # fmt: skip
        ours = torch.zeros(1, 64, 64, 2, dtype=torch.long)
        ours[0, 3, :points] = torch.tensor([said, 1])
        assert bool(found_objects(ours, scenes)[0, 0]) == found


def test_precision_depends_on_who_is_surer():
    """Cada objeto, bien dicho y dicho en otro sitio: solo cuesta si se está más seguro del malo."""
    scenes = crowd(5)
    masks = torch.cat([scenes.masks.roll(32, dims=-1), scenes.masks], dim=1)
    classes, present = (torch.cat([x, x], 1) for x in (scenes.classes + 1, scenes.present.float()))
    surer = torch.cat([torch.full_like(scenes.boxes[..., 0], x) for x in (0.4, 0.8)], dim=1)
    good = mask_average_precision(Instances(masks, classes, present * surer), scenes)
    bad = mask_average_precision(Instances(masks, classes, present * surer.flip(1)), scenes)
    assert good["AP50"] == pytest.approx(1.0) and bad["AP50"] < 0.8
