"""El DETR publicado con fotos de COCO: las clases con huecos y cada foto con su forma."""

import pytest
import torch

from tfcourse.datasets.folders.detection_folders import coco_images
from tfcourse.models.detr import Detections
from tfcourse.vision.detection.metrics import photo_precision
from tfcourse.vision.detection.published import Published, WholePhotos, look_at, only_classes
from workshop.rehearsal.coco import CLASSES, make_coco


@pytest.fixture
def photos(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    make_coco(tmp_path)
    return coco_images(
        tmp_path / "val2017", tmp_path / "annotations" / "instances_val2017.json", 32
    )


def test_the_classes_are_those_annotated_and_never_no_object():
    logits = torch.tensor([[[0.0, 9.0, 1.0, 0.0, 99.0]]])
    assert only_classes([1, 3])(logits).max() < 1e-9
    logits[..., -1] = 0
    best = only_classes([1, 3])(logits).max(dim=-1)
    assert best.indices.item() == 0 and best.values.item() > 0.9


def test_photos_keep_their_shape(photos):
    (image,) = WholePhotos(photos.source, short=24, longest=999)[0]
    assert image.shape == (3, 24, 32) and 0 <= image.min() < image.max() <= 1
    (image,) = WholePhotos(photos.source, short=24, longest=28)[0]
    assert image.shape == (3, 21, 28)


class Oracle(torch.nn.Module):
    """Contesta, por orden, lo anotado en cada foto, con los números de clase de COCO."""

    def __init__(self, photos):
        super().__init__()
        self.answers, self.kinds = [photos[row][1:] for row in range(len(photos))], []
        self.kinds, self.row = photos.source.kinds, 0

    def forward(self, images):
        boxes, classes = self.answers[self.row]
        self.row += 1
        logits = torch.full((1, 5, 92), -9.0)
        logits[..., -1] = 9.0
        placed = torch.full((1, 5, 4), 0.5)
        placed[0, : len(boxes)] = boxes
        for query, kind in enumerate(classes.tolist()):
            logits[0, query, self.kinds[kind]] = 20.0
        return [Detections(logits, placed)]


def test_who_answers_what_is_annotated_gets_it_all(photos):
    assert photos.source.kinds == [number for number, *_ in CLASSES]
    settings = Published(("uno",), short=48, longest=64)
    found = look_at(Oracle(photos), photos, settings, prepare=lambda images: images)
    assert photo_precision(found, photos)["AP"] > 0.95
