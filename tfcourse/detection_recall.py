"""Exhaustividad de un detector: cuántos objetos encuentra, digan lo que digan las confianzas."""

import torch

from tfcourse.boxes import iou, to_corners
from tfcourse.datasets.scenes import Scenes
from tfcourse.detection_metrics import Found


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
