"""Cifras perdidas: una cifra en cualquier sitio de una imagen grande, entre trozos de otras."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.pictures.digits import LabelledImages


@dataclass(frozen=True)
class Scene:
    """Cómo es cada imagen: su lado, lo que mide la cifra y cuántos trozos de otras estorban.

    `smallest` y `largest` son los lados de la cifra, en píxeles; un trozo es un cuarto de cifra.
    Errores: `ValueError` si la cifra no cabe o algún número no es posible.
    """

    side: int = 64
    smallest: float = 22.0
    largest: float = 30.0
    pieces: int = 4

    def __post_init__(self):
        if not 0 < self.smallest <= self.largest <= self.side or self.pieces < 0:
            raise ValueError(
                f"side={self.side}, smallest={self.smallest}, largest={self.largest}, "
                f"pieces={self.pieces}: la cifra tiene que caber en la imagen, y los trozos no "
                "pueden ser negativos"
            )


def paste(
    images: Float[Tensor, "B 1 h w"], scene: Scene, generator: torch.Generator
) -> Float[Tensor, "B 1 H W"]:
    """Cada imagen, ampliada y puesta en un sitio al azar de un lienzo negro, sin salirse de él."""
    count = len(images)
    size, down, right = torch.rand(3, count, generator=generator)
    size = scene.smallest + size * (scene.largest - scene.smallest)
    zoom = scene.side / size  # cuántas veces cabe la cifra en el lienzo
    free = 1 - 1 / zoom  # lo que se puede apartar del centro, en medios lienzos
    zero = torch.zeros(count)
    rows = [
        torch.stack([zoom, zero, -zoom * free * (2 * right - 1)], dim=-1),
        torch.stack([zero, zoom, -zoom * free * (2 * down - 1)], dim=-1),
    ]
    shape = [count, 1, scene.side, scene.side]
    grid = F.affine_grid(torch.stack(rows, dim=1), shape, align_corners=False)
    return F.grid_sample(images, grid, align_corners=False)


def scattered(
    digits: LabelledImages, count: int, scene: Scene, generator: torch.Generator
) -> LabelledImages:
    """`count` imágenes nuevas, hechas con cifras elegidas al azar; la clase es la de la entera."""
    chosen = torch.randint(len(digits), (count,), generator=generator)
    canvas = paste(digits.images[chosen], scene, generator)
    half = digits.images.shape[-1] // 2
    for _ in range(scene.pieces):
        others = torch.randint(len(digits), (count,), generator=generator)
        corner = torch.randint(4, (count,), generator=generator)
        keep = torch.zeros(4, 1, 2 * half, 2 * half)
        for place in range(4):
            row, column = half * (place // 2), half * (place % 2)
            keep[place, :, row : row + half, column : column + half] = 1
        piece = paste(digits.images[others] * keep[corner], scene, generator)
        canvas = torch.maximum(canvas, piece)
    return LabelledImages(canvas, digits.labels[chosen])


def scattered_batches(
    digits: LabelledImages, batch_size: int, scene: Scene, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de imágenes y clases: ninguna imagen sale dos veces."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        batch = scattered(digits, batch_size, scene, generator)
        yield batch.images, batch.labels
