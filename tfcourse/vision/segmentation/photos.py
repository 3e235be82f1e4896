"""Medir un segmentador con fotos: cada una a su tamaño, y con las anotaciones oficiales."""

from collections.abc import Iterable, Iterator

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.folders.coco import coco_mask
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.datasets.folders.segmentation_folders import (
    VOC_BORDER,
    SegmentedFolder,
    voc_kinds,
)
from tfcourse.datasets.scenes.segments import BACKGROUND
from tfcourse.metrics.coco import official_precision, packed
from tfcourse.models.segmentation import Segments
from tfcourse.vision.segmentation.decoding import enlarge, instance_answer, semantic_answer


@torch.no_grad()
def said_instances(model: nn.Module, photos: SegmentedFolder) -> list[dict]:
    """Los objetos que el modelo dice de las fotos de COCO, como las filas que COCO espera.

    Cada máscara se agranda hasta su foto. Las vacías y las de confianza 0 no se dicen.
    """
    device, rows = next(model.parameters()).device, []
    for number, image in enumerate(photos_in_order(photos, 1)):
        last = model(image.to(device))[-1]
        rows += instance_rows(photos, number, last, last.logits.sigmoid())
    return rows


def instance_rows(
    photos: SegmentedFolder, number: int, last: Segments, probabilities: Float[Tensor, "B N C"]
) -> list[dict]:
    """Lo que se dice de una foto, con la probabilidad de cada clase; la 0 es el fondo."""
    masks = enlarge(last, photos.source.sizes[number])
    found, rows = instance_answer(probabilities, masks), []
    said = found.masks[0].any(dim=(1, 2)) & (found.scores[0] > 0)
    for query in said.nonzero()[:, 0].tolist():
        kind, mask = int(found.classes[0, query]), found.masks[0, query]
        rows.append(_row(photos, number, kind, mask, float(found.scores[0, query])))
    return rows


def masks_of_another(photos: SegmentedFolder) -> list[dict]:
    """El listón de quien no mira: las máscaras de la foto siguiente, estiradas hasta cada una."""
    rows = []
    for number in range(len(photos)):
        other = (number + 1) % len(photos)
        there, here = photos.source.sizes[other], photos.source.sizes[number]
        lines, columns = (np.arange(n) * m // n for n, m in zip(here, there, strict=True))
        for thing in photos.source.rows(other):
            mask = coco_mask(thing["segmentation"], there)[np.ix_(lines, columns)]
            kind = photos.source.kinds.index(thing["category_id"]) + 1
            if mask.any():
                rows.append(_row(photos, number, kind, torch.from_numpy(mask).bool(), 1.0))
    return rows


def _row(photos: SegmentedFolder, number: int, kind: int, mask: Tensor, score: float) -> dict:
    return {
        "image_id": photos.source.ids[number],
        "category_id": photos.source.kinds[kind - 1],  # la 0 es el fondo
        "segmentation": packed(mask),
        "score": score,
    }


def photo_mask_precision(rows: list[dict], photos: SegmentedFolder) -> dict[str, float]:
    """AP, AP50 y AP75 de las máscaras que se dicen de las fotos de COCO."""
    return official_precision("segm", photos.source.notes, rows)


@torch.no_grad()
def semantic_maps(model: nn.Module, photos: SegmentedFolder) -> Iterator[Int[Tensor, "Y X"]]:
    """La clase de cada punto de cada foto de VOC, a su tamaño."""
    device = next(model.parameters()).device
    for image, (picture, _) in zip(photos_in_order(photos, 1), photos.source, strict=True):
        sides, found = (picture.height, picture.width), model(image.to(device))
        if isinstance(found, Tensor):  # quien puntúa cada punto, como SETR
            scores = F.interpolate(found, size=sides, mode="bilinear", align_corners=False)
            yield scores.argmax(dim=1)[0].cpu()
        else:
            masks = enlarge(found[-1], sides)
            yield semantic_answer(found[-1].logits.sigmoid(), masks)[0].cpu()


def only_background(photos: SegmentedFolder) -> Iterator[Int[Tensor, "Y X"]]:
    """El listón de quien no mira: en todos los puntos, fondo."""
    for picture, _ in photos.source:
        yield torch.full((picture.height, picture.width), BACKGROUND)


def voc_mean_iou(maps: Iterable[Int[Tensor, "Y X"]], photos: SegmentedFolder) -> dict[str, float]:
    """mIoU y acierto por punto en las fotos de VOC, sin contar los bordes sin decidir.

    Los puntos de todas las fotos van juntos; en la media están las clases que aparecen.
    Fuente: Everingham et al. (2010).
    """
    n_classes = len(photos.classes)
    table = torch.zeros(n_classes, n_classes, dtype=torch.float64)  # filas, lo que hay
    for said, (_, notes) in zip(maps, photos.source, strict=True):
        real = voc_kinds(notes)
        decided = real != VOC_BORDER
        pairs = real[decided] * n_classes + said[decided]
        table += pairs.bincount(minlength=n_classes**2).view(n_classes, n_classes)
    common = table.diagonal()
    ious = common / (table.sum(0) + table.sum(1) - common)
    return {"mIoU": float(ious.nanmean()), "acierto": float(common.sum() / table.sum())}
