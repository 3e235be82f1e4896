"""Precisión media: casos con respuesta conocida y un cálculo independiente."""

import math

import pytest
import torch

from tfcourse.boxes import iou, to_corners
from tfcourse.datasets.scenes import AREAS, SHAPE_SCENES, reserved_scenes
from tfcourse.detection_losses import softmax_scores
from tfcourse.detection_metrics import Found, average_precision, detect
from tfcourse.models.detr import DETR, DETRConfig


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
