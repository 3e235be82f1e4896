"""Precisión media y exhaustividad: respuestas conocidas y un cálculo independiente."""

import math

import pytest
import torch

from tfcourse.datasets.folders.detection_folders import coco_images, padded
from tfcourse.datasets.scenes.scenes import AREAS, SHAPE_SCENES, Scenes, reserved_scenes
from tfcourse.geometry.boxes import iou, to_corners
from tfcourse.models.detr import DETR, DETRConfig
from tfcourse.vision.detection.losses import softmax_scores
from tfcourse.vision.detection.metrics import (
    FATES,
    Found,
    average_precision,
    box_fates,
    boxes_of_another,
    detect,
    detect_photos,
    photo_precision,
    recall,
)
from workshop.rehearsal.coco import make_coco


def scenes(n=20):
    return reserved_scenes(n, SHAPE_SCENES)


def perfect(batch):
    return Found(batch.boxes.clone(), batch.classes.clone(), batch.present.float() * 0.9 + 0.01)


def test_perfect_detections():
    measured = average_precision(perfect(scenes()), scenes())
    assert measured["AP"] == pytest.approx(1.0) and measured["AP50"] == pytest.approx(1.0)


def test_nothing_right():
    batch = scenes()
    wrong = Found(batch.boxes, (batch.classes + 1) % 4, torch.ones(batch.classes.shape))
    assert average_precision(wrong, batch)["AP"] < 0.05


def test_it_writes_nothing(capsys):
    average_precision(perfect(scenes(3)), scenes(3))
    assert capsys.readouterr().out == ""


def test_shifted_boxes_pass_only_the_loose_thresholds():
    batch = scenes(40)
    found = perfect(batch)
    found.boxes[..., 0] += 0.2 * found.boxes[..., 2]  # IoU = 0,8 / 1,2
    measured = average_precision(found, batch)
    # IoU 2/3 pasa los umbrales 0,50; 0,55; 0,60 y 0,65: cuatro de diez.
    assert measured["AP50"] == pytest.approx(1.0) and measured["AP75"] == pytest.approx(0.0)
    assert measured["AP"] == pytest.approx(0.4, abs=0.02)


def by_hand(found, batch, threshold):
    """AP de una sola clase por área bajo la curva de precisión y exhaustividad, en 101 puntos."""
    rows = sorted(
        ((float(s), i, q) for i, r in enumerate(found.scores) for q, s in enumerate(r)),
        reverse=True,
    )
    taken, hits = set(), []
    for _, i, q in rows:
        pairs = iou(to_corners(found.boxes[i, q])[None], to_corners(batch.boxes[i]))[0]
        free = [
            (float(v), m) for m, v in enumerate(pairs[: batch.counts[i]]) if (i, m) not in taken
        ]
        best = max(free, default=(0.0, None))
        hits.append(best[0] >= threshold)
        if hits[-1]:
            taken.add((i, best[1]))
    total, right = int(batch.counts.sum()), 0
    curve = []
    for n, hit in enumerate(hits, start=1):
        right += hit
        curve.append((right / total, right / n))
    points = [r / 100 for r in range(101)]
    return sum(max((p for r, p in curve if r >= x - 1e-12), default=0.0) for x in points) / 101


def test_ap50_equals_an_independent_computation():
    batch = scenes(15)
    batch = batch._replace(classes=torch.zeros_like(batch.classes))
    g = torch.Generator().manual_seed(0)
    noise = 0.03 * torch.randn(batch.boxes.shape, generator=g)
    boxes = (batch.boxes + noise).clamp(0.05, 0.95)
    found = Found(boxes, batch.classes, torch.rand(batch.classes.shape, generator=g))
    measured = average_precision(found, batch)
    assert measured["AP50"] == pytest.approx(by_hand(found, batch, 0.5), abs=1e-6)
    assert measured["AP75"] == pytest.approx(by_hand(found, batch, 0.75), abs=1e-6)


def test_sizes_are_measured_apart():
    batch = scenes(60)
    found = perfect(batch)
    small = batch.boxes[..., 2:].prod(-1) * 64 * 64 < AREAS["pequeños"][1]
    found.scores[small] = 0.0
    found.boxes[small] = torch.tensor([0.5, 0.5, 0.02, 0.02])
    measured = average_precision(found, batch)
    assert measured["AP grandes"] == pytest.approx(1.0) and measured["AP pequeños"] < 0.2


def test_no_objects_gives_nan_and_no_detections_gives_zero():
    batch = scenes(4)
    empty = batch._replace(counts=torch.zeros(4, dtype=torch.long))
    assert math.isnan(average_precision(perfect(batch), empty)["AP"])
    none = Found(torch.zeros(4, 0, 4), torch.zeros(4, 0).long(), torch.zeros(4, 0))
    assert average_precision(none, batch)["AP"] == 0.0


def test_detect_takes_the_best_class_and_never_no_object():
    torch.manual_seed(0)
    model = DETR(DETRConfig(4, d_model=16, n_heads=2, d_hidden=16)).eval()
    with torch.no_grad():
        model.class_head.bias[-1] = 10.0
    images = torch.rand(5, 3, 64, 64)
    found = detect(model, images, softmax_scores, batch_size=2)
    assert found.boxes.shape == (5, 8, 4) and found.classes.max() < 4 and found.scores.max() < 0.1


def test_detect_listens_to_the_last_layer():
    torch.manual_seed(0)
    model = DETR(DETRConfig(4, d_model=16, n_heads=2, d_hidden=16)).eval()
    images = torch.rand(3, 3, 64, 64)
    first, last = model(images)
    found = detect(model, images, softmax_scores)
    torch.testing.assert_close(found.boxes, last.boxes.detach())
    assert not torch.allclose(found.boxes, first.boxes)
    chances = last.logits.detach().softmax(-1)[..., :4]
    torch.testing.assert_close(found.scores, chances.amax(-1))
    assert torch.equal(found.classes, chances.argmax(-1))


def test_the_size_of_a_box_is_its_area():
    """Una caja larga y baja: su lado mayor al cuadrado la haría grande."""
    batch = scenes(1)
    long = torch.tensor([32.0, 32.0, 60.0, 4.0]) / 64  # 240 píxeles: pequeña
    batch = batch._replace(
        boxes=long.expand(1, 1, 4), classes=torch.zeros(1, 1).long(), counts=torch.tensor([1])
    )
    measured = average_precision(Found(batch.boxes, batch.classes, torch.ones(1, 1)), batch)
    assert measured["AP pequeños"] == pytest.approx(1.0) and math.isnan(measured["AP grandes"])


def test_recall_by_hand():
    """Dos objetos y cinco respuestas: una clavada, otra a 2/3, otra a 1/3, otra mal y otra muda."""
    true = torch.tensor([[[0.3, 0.3, 0.2, 0.2], [0.7, 0.7, 0.2, 0.2]]])
    nothing = torch.zeros(1, 2, 64, 64)
    batch = Scenes(
        torch.zeros(1, 3, 64, 64), true, torch.tensor([[0, 1]]), torch.tensor([2]),
        nothing.bool(), nothing[:, 0].long(),
    )  # fmt: skip
    found = Found(
        true[:, [0, 0, 1, 1, 1]].clone(), torch.tensor([[0, 0, 1, 0, 1]]), torch.ones(1, 5)
    )
    found.boxes[0, 1, 0] += 0.2 * 0.2  # IoU = 0,8 / 1,2
    found.boxes[0, 2, 0] += 0.5 * 0.2  # IoU = 0,5 / 1,5
    found.scores[0, 4] = 0.0
    wanted = {0.5: (1 / 2, 1 / 2), 0.7: (1 / 2, 0), 0.3: (1, 1 / 3)}
    for threshold, (part, repeated) in wanted.items():
        measured = recall(found, batch, threshold)
        assert measured["exhaustividad"] == part and measured["dichas"] == 4
        assert measured["repetidas"] == pytest.approx(repeated)


def test_recall_counts_each_object_once():
    batch = scenes(30)
    perfect = Found(batch.boxes, batch.classes, batch.present.float())
    measured = recall(perfect, batch)
    assert measured["exhaustividad"] == 1 and measured["repetidas"] == 0
    assert math.isclose(measured["dichas"], float(batch.counts.float().mean()), rel_tol=1e-5)
    twice = Found(*(torch.cat([part, part], 1) for part in vars(perfect).values()))
    assert recall(twice, batch)["exhaustividad"] == 1 and recall(twice, batch)["repetidas"] == 0.5
    other = Found(batch.boxes, (batch.classes + 1) % 4, batch.present.float())
    assert recall(other, batch)["exhaustividad"] == 0
    silent = Found(batch.boxes, batch.classes, torch.zeros_like(perfect.scores))
    assert recall(silent, batch) == {"exhaustividad": 0, "dichas": 0, "repetidas": 0}


@pytest.fixture
def photos(tmp_path):
    """Las fotos de evaluar de un COCO diminuto."""
    make_coco(tmp_path)
    return coco_images(tmp_path / "val2017", tmp_path / "annotations/instances_val2017.json", 32)


def told(photos, score=0.8):
    """Lo que diría quien copia las anotaciones; en los sitios que sobran, nada."""
    batch = padded([photos[row] for row in range(len(photos))], 5)
    exists = torch.arange(5) < batch.counts[:, None]
    return Found(batch.boxes, batch.classes, score * exists)


def test_each_box_has_one_fate():
    """Un cuadrado y siete cajas: la buena, otra igual, y con cada una de las demás faltas."""
    truth = [[0.3, 0.3, 0.2, 0.2], [0.8, 0.8, 0.2, 0.2]]
    image, empty = torch.zeros(1, 3, 8, 8), torch.zeros(1, 2, 8, 8, dtype=torch.bool)
    kinds = torch.tensor([[1, 2]])
    batch = Scenes(
        image, torch.tensor([truth]), kinds, torch.tensor([1]), empty, empty[:, 0].long()
    )
    there, far, near = truth[0], truth[1], [0.4, 0.3, 0.2, 0.2]
    boxes = torch.tensor([[there, there, there, near, far, [0.1, 0.9, 0.1, 0.1], there]])
    classes = torch.tensor([[1, 1, 3, 1, 2, 1, 1]])
    scores = torch.tensor([[0.2, 0.9, 0.9, 0.9, 0.9, 0.9, 0.0]])
    fates = box_fates(Found(boxes, classes, scores), batch)
    where = {name: some[0].nonzero()[:, 0].tolist() for name, some in fates.items()}
    assert where == dict(zip(FATES, ([0], [1], [2], [3], [4, 5]), strict=True))
    assert sum(some.int() for some in fates.values()).eq((scores > 0).int()).all()


def test_photos_are_measured_with_their_own_sizes_and_numbers(photos):
    found = told(photos)
    assert photo_precision(found, photos)["AP"] == pytest.approx(1.0)
    other_kind = Found(found.boxes, (found.classes + 1) % 3, found.scores)
    assert photo_precision(other_kind, photos)["AP"] < 0.1
    halves = found.boxes * torch.tensor([1, 1, 0.6, 1])  # IoU 0,6
    squeezed = photo_precision(Found(halves, found.classes, found.scores), photos)
    assert squeezed["AP50"] == pytest.approx(1.0) and squeezed["AP75"] == 0
    silent = Found(found.boxes, found.classes, 0 * found.scores)
    assert photo_precision(silent, photos)["AP"] == 0


def test_who_does_not_look_answers_with_the_next_photo(photos):
    blind, true = boxes_of_another(photos), told(photos)
    for row in range(len(photos)):
        said, there = blind.scores[row] > 0, true.scores[(row + 1) % len(photos)] > 0
        ours, wanted = blind.boxes[row, said], true.boxes[(row + 1) % len(photos), there]
        order, expected = ours[:, 0].argsort(), wanted[:, 0].argsort()
        torch.testing.assert_close(ours[order], wanted[expected])


def test_photos_are_read_batch_by_batch(photos):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16}
    model = DETR(DETRConfig(3, n_queries=3, **sizes)).eval()
    images = torch.stack([photos[row][0] for row in range(len(photos))])
    at_once = detect(model, images, softmax_scores)
    apart = detect_photos(model, photos, softmax_scores, batch_size=3)
    torch.testing.assert_close(apart.boxes, at_once.boxes)
    assert torch.equal(apart.classes, at_once.classes)
