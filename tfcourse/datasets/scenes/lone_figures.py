"""Escenas con una sola figura, en pequeño: la misma imagen tiene dos respuestas."""

import torch
import torch.nn.functional as F

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.datasets.scenes.asked_scenes import asked_scenes
from tfcourse.datasets.scenes.scene_objects import SHAPES
from tfcourse.datasets.scenes.told_scenes import COLOURS

QUESTIONS = {"figura": SHAPES, "color": tuple(COLOURS)}
SIDE = 16  # píxeles: la mitad de una escena preguntada


def lone_figures(n: int, seed: int) -> dict[str, LabelledImages]:
    """Las mismas `n` imágenes `(3, 16, 16)`, con una clase por cada pregunta de `QUESTIONS`.

    Son escenas preguntadas de una figura, con cada cuadrado de 2 × 2 píxeles hecho uno, su media:
    en cualquier cuadrante, y de cualquiera de las parejas de figura y color que no se reservan.
    Errores: `ValueError` si no se pide ninguna.
    """
    if n < 1:
        raise ValueError(f"n={n}: pide al menos una escena")
    generator = torch.Generator().manual_seed(seed)
    alone = []
    while len(alone) < n:  # de una a cuatro figuras, por igual: una de cada cuatro vale
        alone += [scene for scene in asked_scenes(4 * n, generator) if len(scene.things) == 1]
    images = F.avg_pool2d(torch.stack([scene.image for scene in alone[:n]]), 2)
    answers = [scene.things[0][1:] for scene in alone[:n]]
    return {
        question: LabelledImages(images, torch.tensor([names.index(own[k]) for own in answers]))
        for k, (question, names) in enumerate(QUESTIONS.items())
    }
