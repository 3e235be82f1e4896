"""Cómo se mide un detector: precisión media, con las reglas de COCO, y exhaustividad."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.folders.detection_folders import BoxedImages, in_parts
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.datasets.scenes.scenes import AREAS, Scenes
from tfcourse.geometry.boxes import iou, to_corners
from tfcourse.metrics.coco import coco_precision, corner_and_size, official_precision


@dataclass
class Found:
    """Lo que un detector dice de un lote: una caja, una clase y una confianza por consulta."""

    boxes: Float[Tensor, "B N 4"]
    classes: Int[Tensor, "B N"]
    scores: Float[Tensor, "B N"]


def recall(found: Found, scenes: Scenes, threshold: float = 0.5) -> dict[str, float]:
    """Parte de los objetos que se encuentran, y qué pasa con lo que se dice de más.

    Un objeto está encontrado si alguna detección con confianza mayor que 0 tiene su clase y una IoU
    de `threshold` o más. `dichas` son las detecciones por escena; `repetidas`, la parte de las
    buenas que señala un objeto que ya señalaba otra. Sin objetos, NaN.
    """
    said = found.scores > 0
    alike = iou(to_corners(found.boxes), to_corners(scenes.boxes)) >= threshold
    same = found.classes[..., None] == scenes.classes[:, None]
    good = alike & same & said[..., None] & scenes.present[:, None]
    hits, right = good.any(dim=1).sum(), good.any(dim=2).sum()
    return {
        "exhaustividad": float(hits / scenes.counts.sum()),
        "dichas": float(said.sum() / len(said)),
        "repetidas": float(torch.clamp(right - hits, min=0) / right) if right else 0.0,
    }


FATES = ("la primera", "repite", "otra clase", "mal colocada", "en el fondo")


def box_fates(
    found: Found, scenes: Scenes, threshold: float = 0.5
) -> dict[str, Bool[Tensor, "B N"]]:
    """Adónde va cada caja que se dice: una máscara por destino.

    «la primera»: señala, con su clase y una IoU de `threshold` o más, un objeto que ninguna
    anterior señalaba; «repite»: señala uno ya señalado; «otra clase»: está sobre un objeto, con un
    nombre que no es el suyo; «mal colocada»: con ninguno llega a esa IoU, pero con alguno pasa de
    0,1; «en el fondo», las demás. Lo que tiene confianza 0 no se dice.
    """
    said = found.scores > 0
    alike = iou(to_corners(found.boxes), to_corners(scenes.boxes)) * scenes.present[:, None]
    same = found.classes[..., None] == scenes.classes[:, None]
    good = (alike >= threshold) & same & said[..., None]
    first = (good & (good.cumsum(1) == 1)).any(-1)
    right, best = good.any(-1), alike.amax(-1)
    kinds = (
        first,
        right & ~first,
        ~right & (best >= threshold),
        (best < threshold) & (best > 0.1),
        best <= 0.1,
    )
    return {name: kind & said for name, kind in zip(FATES, kinds, strict=True)}


@torch.no_grad()
def detect(model: nn.Module, images: Float[Tensor, "B 3 Y X"], scores, batch_size=100) -> Found:
    """Las detecciones de la última capa; `scores` pasa de logits a probabilidades por clase."""
    parts = []
    for some in images.split(batch_size):
        last = model(some)[-1]
        best = scores(last.logits).max(dim=-1)
        parts.append((last.boxes, best.indices, best.values))
    return Found(*(torch.cat(part).cpu() for part in zip(*parts, strict=True)))


def average_precision(found: Found, scenes: Scenes) -> dict[str, float]:
    """Precisión media: AP@[0,5:0,95], AP50, AP75 y la de objetos pequeños, medianos y grandes.

    Con las reglas de COCO y nuestros límites de tamaño. Una medida sin objetos vale NaN.
    Fuente: Lin et al. (2014).
    """
    size = scenes.images.shape[-1]
    return coco_precision(
        "bbox", _annotations(scenes, size), _guesses(found, size), scenes.images, areas=AREAS
    )


def _annotations(scenes: Scenes, size: int) -> list[dict]:
    rows = []
    for image, thing in scenes.present.nonzero().tolist():
        box = corner_and_size(scenes.boxes[image, thing], size)
        kind = int(scenes.classes[image, thing])
        rows.append({"image_id": image, "category_id": kind, "bbox": box, "area": box[2] * box[3]})
    return rows


def _guesses(found: Found, size: int) -> list[dict]:
    return [
        {
            "image_id": image,
            "category_id": int(found.classes[image, query]),
            "bbox": corner_and_size(found.boxes[image, query], size),
            "score": float(found.scores[image, query]),
        }
        for image in range(len(found.scores))
        for query in range(found.scores.shape[1])
    ]


def photo_precision(found: Found, photos: BoxedImages) -> dict[str, float]:
    """AP, AP50 y AP75 de lo que se dice de las fotos de COCO, con sus anotaciones oficiales.

    `found` tiene una fila por foto, en el orden de `photos`. Lo que tiene confianza 0 no se dice.
    """
    guesses = []
    for row, (boxes, classes, scores) in enumerate(
        zip(found.boxes, found.classes, found.scores, strict=True)
    ):
        height, width = photos.source.sizes[row]
        corners = to_corners(boxes) * torch.tensor([width, height, width, height])
        corners[:, 2:] -= corners[:, :2]
        said = scores > 0
        for box, kind, score in zip(
            corners[said].tolist(), classes[said].tolist(), scores[said].tolist(), strict=True
        ):
            guesses.append(
                {"image_id": photos.source.ids[row], "category_id": photos.source.kinds[kind],
                 "bbox": box, "score": score}
            )  # fmt: skip
    return official_precision("bbox", photos.source.notes, guesses)


def detect_photos(model: nn.Module, photos: BoxedImages, scores, batch_size: int = 32) -> Found:
    """Las detecciones en todas las fotos de un conjunto, leídas de lote en lote."""
    device = next(model.parameters()).device
    batches = photos_in_order(photos, batch_size)
    return joined([detect(model, images.to(device), scores) for images in batches])


def joined(parts: list[Found]) -> Found:
    """Las detecciones de varios lotes, una tras otra."""
    return Found(
        torch.cat([part.boxes for part in parts]),
        torch.cat([part.classes for part in parts]),
        torch.cat([part.scores for part in parts]),
    )


def boxes_of_another(photos: BoxedImages) -> Found:
    """El listón de quien no mira: contestar a cada foto con las cajas anotadas en la siguiente."""
    answers = []
    for row in range(len(photos)):
        other = (row + 1) % len(photos)
        corners, classes = photos.corners(photos.source.rows(other))
        answers.append((in_parts(corners, photos.source.sizes[other]), classes))
    most = max(1, *(len(classes) for _, classes in answers))
    found = Found(
        torch.zeros(len(photos), most, 4),
        torch.zeros(len(photos), most, dtype=torch.long),
        torch.zeros(len(photos), most),
    )
    for row, (boxes, classes) in enumerate(answers):
        found.boxes[row, : len(boxes)], found.classes[row, : len(boxes)] = boxes, classes
        found.scores[row, : len(boxes)] = 1.0
    return found
