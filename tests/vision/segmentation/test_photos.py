"""Medir un segmentador con fotos: quien lo sabe todo, quien no mira, y contra torchmetrics."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.datasets.folders.segmentation_folders import (
    VOC_BORDER,
    coco_segments,
    voc_kinds,
    voc_segments,
)
from tfcourse.models.segmentation import Segments
from tfcourse.vision.segmentation.photos import (
    masks_of_another,
    only_background,
    photo_mask_precision,
    said_instances,
    semantic_maps,
    voc_mean_iou,
)
from workshop.rehearsal.coco import make_coco
from workshop.rehearsal.voc import make_voc


class Knows(nn.Module):
    """Contesta con lo anotado en las fotos, que le llegan de una en una y en su orden."""

    def __init__(self, photos, *, by_pixel=False):
        super().__init__()
        self.parameter = nn.Parameter(torch.zeros(()))
        self.photos, self.by_pixel, self.next = photos, by_pixel, 0

    def forward(self, images):
        _, masks, classes = self.photos[self.next]
        self.next += 1
        sure = 20.0 * (2 * F.one_hot(classes, len(self.photos.classes)).float() - 1)
        masks = 20.0 * (2 * masks.float() - 1)
        if self.by_pixel:
            return torch.einsum("nc, nyx -> cyx", sure, masks)[None]
        return [Segments(sure[None], masks[None])]


@pytest.fixture
def coco(tmp_path):
    make_coco(tmp_path)
    notes = tmp_path / "annotations/instances_val2017.json"
    return coco_segments(tmp_path / "val2017", notes, 64)


@pytest.fixture
def voc(tmp_path):
    return voc_segments(_made(tmp_path), 64, split="val")


def _made(folder):
    make_voc(folder)
    return folder


def test_who_knows_the_masks_gets_them_right(coco):
    """Salvo donde dos se pisan, que el punto es de la menor."""
    rows = said_instances(Knows(coco), coco)
    assert {row["image_id"] for row in rows} == set(coco.source.ids)
    assert {row["category_id"] for row in rows} <= {1, 3, 90}
    assert photo_mask_precision(rows, coco)["AP50"] > 0.7
    assert photo_mask_precision([], coco)["AP"] == 0


def test_who_does_not_look_says_the_masks_of_the_next_photo(coco):
    from pycocotools.mask import area

    rows, ids = masks_of_another(coco), coco.source.ids
    for number, image in enumerate(ids):
        said = [row for row in rows if row["image_id"] == image]
        there = coco.source.rows((number + 1) % len(ids))
        assert [row["category_id"] for row in said] == [thing["category_id"] for thing in there]
        assert [int(area(row["segmentation"])) for row in said] == [t["area"] for t in there]
    assert photo_mask_precision(rows, coco)["AP"] < 0.3


@pytest.mark.parametrize("by_pixel", [False, True])
def test_who_knows_the_classes_gets_them_right(voc, by_pixel):
    maps = list(semantic_maps(Knows(voc, by_pixel=by_pixel), voc))
    assert [tuple(said.shape) for said in maps] == [(40, 60)] * len(voc)
    found = voc_mean_iou(maps, voc)
    assert found["mIoU"] > 0.85 and found["acierto"] > 0.95


def test_all_background_by_hand(voc):
    kinds = torch.stack([voc_kinds(notes) for _, notes in voc.source])
    decided = kinds != VOC_BORDER
    background = float((kinds[decided] == 0).float().mean())
    n_present = len(kinds[decided].unique())
    found = voc_mean_iou(only_background(voc), voc)
    assert found["acierto"] == pytest.approx(background)
    assert found["mIoU"] == pytest.approx(background / n_present)


def test_it_is_the_count_of_torchmetrics(voc):
    from torchmetrics.classification import MulticlassJaccardIndex

    generator = torch.Generator().manual_seed(0)
    noisy, counted = [], MulticlassJaccardIndex(len(voc.classes), ignore_index=VOC_BORDER)
    for _, notes in voc.source:
        real = voc_kinds(notes)
        wrong = torch.rand(real.shape, generator=generator) < 0.3
        said = torch.where(wrong, torch.randint(21, real.shape, generator=generator), real % 21)
        noisy.append(said)
        counted.update(said[None], real[None])
    assert voc_mean_iou(noisy, voc)["mIoU"] == pytest.approx(float(counted.compute()), abs=1e-6)
