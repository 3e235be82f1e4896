"""Medidas de pose: la parte de articulaciones bien puestas (PCK), el parecido (OKS) y su AP."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.folders.keypoint_folders import PeopleCrops
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.metrics.coco import coco_precision, corner_and_size, official_precision

# Cuánto se permite fallar en cada articulación: los σ de COCO para las de las personas; el de la
# cabeza, que COCO no tiene, es el del hombro.
SIGMAS = (0.079, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107, 0.087, 0.087, 0.089, 0.089)


def pck(
    found: Float[Tensor, "N K 2"],
    points: Float[Tensor, "N K 2"],
    sides: Float[Tensor, "N"],
    alpha: float = 0.1,
    count: Bool[Tensor, "N K"] | None = None,
) -> float:
    """Parte de las articulaciones puestas a menos de `alpha` veces el lado de su figura (PCK).

    `sides` es el lado mayor de la caja, en las mismas unidades que los puntos; `count` dice cuáles
    cuentan. Fuente: Yang y Ramanan (2013), § 6. Errores: `ValueError` si no cuenta ninguna.
    """
    right = (found - points).norm(dim=-1) <= alpha * sides[:, None]
    count = torch.ones_like(right) if count is None else count
    if not count.any():
        raise ValueError("no hay ninguna articulación que contar: revisa count")
    return float(right[count].float().mean())


def oks(
    found: Float[Tensor, "N K 2"],
    points: Float[Tensor, "M K 2"],
    areas: Float[Tensor, "M"],
    sigmas: tuple[float, ...] = SIGMAS,
) -> Float[Tensor, "N M"]:
    """Parecido de cada pose con cada otra (OKS), entre 0 y 1: media de exp(−d² / 2 s² κ²).

    s² es el área de la figura verdadera y κ = 2σ, lo que se permite en cada articulación. Puntos y
    áreas, en las mismas unidades. Fuente: evaluación de puntos clave de COCO, Lin et al. (2014).
    """
    away = (found[:, None] - points[None]).square().sum(-1)
    allowed = 2 * areas[:, None] * (2 * torch.tensor(sigmas).to(points)).square()
    return (-away / allowed.clamp(min=1e-12)).exp().mean(dim=-1)


@dataclass
class Poses:
    """Poses dichas de un lote, una tras otra: en qué imagen, dónde y con qué confianza."""

    owners: Int[Tensor, "N"]
    keypoints: Float[Tensor, "N K 2"]
    scores: Float[Tensor, "N"]


def keypoint_precision(found: Poses, figures, sigmas: tuple[float, ...] = SIGMAS) -> dict:
    """Precisión media de las poses (OKS-AP): AP@[0,5:0,95], AP50 y AP75, con las reglas de COCO.

    `figures` es un lote de `tfcourse.datasets.scenes.figures`. Cuentan también las articulaciones
    tapadas. Sin ninguna figura, NaN. Fuente: Lin et al. (2014).
    """
    size = figures.images.shape[-1]
    return coco_precision(
        "keypoints", _annotations(figures, size), _guesses(found, size), figures.images,
        sigmas=sigmas,
    )  # fmt: skip


def _annotations(figures, size: int) -> list[dict]:
    rows = []
    for image, figure in figures.present.nonzero().tolist():
        points = figures.keypoints[image, figure] * size
        marks = figures.visible[image, figure].long()[:, None] + 1  # 1 tapada, 2 visible
        rows.append(
            {
                "image_id": image,
                "category_id": 1,
                "keypoints": torch.cat([points, marks], dim=1).flatten().tolist(),
                "num_keypoints": len(points),
                "area": float(figures.areas[image, figure]) * size * size,
                "bbox": corner_and_size(figures.boxes[image, figure], size),
            }
        )
    return rows


def _guesses(found: Poses, size: int) -> list[dict]:
    ones = torch.ones_like(found.keypoints[..., :1])
    rows = torch.cat([found.keypoints * size, ones], dim=-1).flatten(1)
    return [
        {"image_id": int(image), "category_id": 1, "keypoints": row, "score": float(score)}
        for image, row, score in zip(found.owners, rows.tolist(), found.scores, strict=True)
    ]


def people_precision(
    found: Float[Tensor, "P K 2"], scores: Float[Tensor, "P"], people: PeopleCrops
) -> dict[str, float]:
    """OKS-AP, AP50 y AP75 de las poses dichas en los recortes, con las notas oficiales de COCO.

    `found` va en partes de cada recorte, y se lleva a los píxeles de su foto.
    """
    points = people.squares.out_of(found) * people.sides[:, None, None]
    rows = torch.cat([points, torch.ones_like(points[..., :1])], dim=-1).flatten(1)
    guesses = [
        {"image_id": people.source.ids[owner], "category_id": 1, "keypoints": row, "score": score}
        for owner, row, score in zip(
            people.owners.tolist(), rows.tolist(), scores.tolist(), strict=True
        )
    ]
    return official_precision("keypoints", people.source.notes, guesses)


def locate_people(
    model: nn.Module, people: PeopleCrops, batch_size: int = 128
) -> tuple[Float[Tensor, "P K 2"], Float[Tensor, "P"]]:
    """Las articulaciones de todas las personas de un conjunto, y cuánto se fía de cada pose."""
    device = next(model.parameters()).device
    parts = [
        [part.cpu() for part in model.locate(images.to(device))]
        for images in photos_in_order(people, batch_size)
    ]
    points, confidence = (torch.cat(part) for part in zip(*parts, strict=True))
    return points, confidence.mean(dim=1)
