"""Precisión media de un detector, con las reglas de COCO."""

import contextlib
import io
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.scenes import AREAS, Scenes


@dataclass
class Found:
    """Lo que un detector dice de un lote: una caja, una clase y una confianza por consulta."""

    boxes: Float[Tensor, "B N 4"]
    classes: Int[Tensor, "B N"]
    scores: Float[Tensor, "B N"]


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

    La calcula `pycocotools`, la herramienta de COCO, con nuestros límites de tamaño. Una medida
    sin objetos vale NaN. Fuente: Lin et al. (2014).
    """
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    size = scenes.images.shape[-1]
    with contextlib.redirect_stdout(io.StringIO()):  # escribe en inglés cada paso
        truth = COCO()
        truth.dataset = _annotations(scenes, size)
        truth.createIndex()
        guesses = truth.loadRes(_guesses(found, size)) if found.scores.numel() else COCO()
        evaluation = COCOeval(truth, guesses, "bbox")
        evaluation.params.areaRng = [[0, 1e10], *map(list, AREAS.values())]
        evaluation.params.areaRngLbl = ["all", "small", "medium", "large"]
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    names = ("AP", "AP50", "AP75", *(f"AP {name}" for name in AREAS))
    return {
        name: float(value) if value >= 0 else float("nan")
        for name, value in zip(names, evaluation.stats[:6], strict=True)
    }


def _annotations(scenes: Scenes, size: int) -> dict:
    things = [
        (image, thing)
        for image, count in enumerate(scenes.counts.tolist())
        for thing in range(count)
    ]
    annotations = []
    for number, (image, thing) in enumerate(things, start=1):
        box = _corner_and_size(scenes.boxes[image, thing], size)
        annotations.append(
            {
                "id": number,
                "image_id": image,
                "category_id": int(scenes.classes[image, thing]),
                "bbox": box,
                "area": box[2] * box[3],
                "iscrowd": 0,
            }
        )
    classes = range(int(scenes.classes.max()) + 1)
    return {
        "info": {},
        "images": [{"id": image} for image in range(len(scenes.counts))],
        "categories": [{"id": number} for number in classes],
        "annotations": annotations,
    }


def _guesses(found: Found, size: int) -> list[dict]:
    return [
        {
            "image_id": image,
            "category_id": int(found.classes[image, query]),
            "bbox": _corner_and_size(found.boxes[image, query], size),
            "score": float(found.scores[image, query]),
        }
        for image in range(len(found.scores))
        for query in range(found.scores.shape[1])
    ]


def _corner_and_size(box: Tensor, size: int) -> list[float]:
    cx, cy, w, h = (box * size).tolist()
    return [cx - w / 2, cy - h / 2, w, h]
