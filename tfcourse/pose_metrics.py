"""Medidas de pose: la parte de articulaciones bien puestas (PCK), el parecido (OKS) y su AP."""

import contextlib
import io
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

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
    """Precisión media de las poses (OKS-AP): AP@[0,5:0,95], AP50 y AP75, con `pycocotools`.

    `figures` es un lote de `tfcourse.datasets.figures`. Cuentan también las articulaciones tapadas.
    Sin ninguna figura, NaN.
    """
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    size = figures.images.shape[-1]
    with contextlib.redirect_stdout(io.StringIO()):  # escribe en inglés cada paso
        truth = COCO()
        truth.dataset = _annotations(figures, size)
        truth.createIndex()
        guesses = truth.loadRes(_guesses(found, size)) if len(found.scores) else COCO()
        evaluation = COCOeval(truth, guesses, "keypoints")
        evaluation.params.kpt_oks_sigmas = torch.tensor(sigmas, dtype=torch.float64).numpy()
        evaluation.params.areaRng = [[0, 1e10]] * 3  # sin separar por tamaños
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return {
        name: float(value) if value >= 0 else float("nan")
        for name, value in zip(("AP", "AP50", "AP75"), evaluation.stats[:3], strict=True)
    }


def _annotations(figures, size: int) -> dict:
    rows = []
    for image, figure in figures.present.nonzero().tolist():
        points = figures.keypoints[image, figure] * size
        marks = figures.visible[image, figure].long()[:, None] + 1  # 1 tapada, 2 visible
        cx, cy, w, h = (figures.boxes[image, figure] * size).tolist()
        rows.append(
            {
                "id": len(rows) + 1,
                "image_id": image,
                "category_id": 1,
                "keypoints": torch.cat([points, marks], dim=1).flatten().tolist(),
                "num_keypoints": len(points),
                "area": float(figures.areas[image, figure]) * size * size,
                "bbox": [cx - w / 2, cy - h / 2, w, h],
                "iscrowd": 0,
            }
        )
    return {
        "info": {},
        "images": [{"id": image} for image in range(len(figures.images))],
        "categories": [{"id": 1}],
        "annotations": rows,
    }


def _guesses(found: Poses, size: int) -> list[dict]:
    ones = torch.ones_like(found.keypoints[..., :1])
    rows = torch.cat([found.keypoints * size, ones], dim=-1).flatten(1)
    return [
        {"image_id": int(image), "category_id": 1, "keypoints": row, "score": float(score)}
        for image, row, score in zip(found.owners, rows.tolist(), found.scores, strict=True)
    ]
