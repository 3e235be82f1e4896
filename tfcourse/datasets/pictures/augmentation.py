"""Aumento de datos: la misma imagen, un poco movida y un poco girada, sigue siendo de su clase."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.pictures.digits import LabelledImages


@dataclass(frozen=True)
class Augmentation:
    """Cuánto se mueve una imagen: píxeles de desplazamiento, grados de giro y parte de escala.

    Errores: `ValueError` si alguno es negativo o la escala llega a 1.
    """

    shift: float = 0.5
    degrees: float = 8.0
    scale: float = 0.05

    def __post_init__(self):
        if min(self.shift, self.degrees, self.scale) < 0 or self.scale >= 1:
            raise ValueError(
                f"shift={self.shift}, degrees={self.degrees}, scale={self.scale}: no pueden ser "
                "negativos, y la escala es una parte menor que 1, p. ej. 0.1"
            )


def move_images(
    images: Float[Tensor, "B C H W"], moves: Augmentation, generator: torch.Generator
) -> Float[Tensor, "B C H W"]:
    """Desplaza, gira y escala cada imagen al azar, todas a la vez; lo que queda fuera vale 0.

    Cada píxel nuevo se lee del sitio del que viene, interpolando entre los cuatro vecinos.
    """
    count, height, width = len(images), *images.shape[-2:]
    angle, size, down, right = 2 * torch.rand(4, count, generator=generator) - 1
    angle = angle * math.radians(moves.degrees)
    size = 1 + size * moves.scale
    cosine, sine = size * angle.cos(), size * angle.sin()
    rows = [
        torch.stack([cosine, -sine, right * moves.shift * 2 / width], dim=-1),
        torch.stack([sine, cosine, down * moves.shift * 2 / height], dim=-1),
    ]
    grid = F.affine_grid(torch.stack(rows, dim=1), list(images.shape), align_corners=False)
    return F.grid_sample(images, grid.to(images), align_corners=False)


def image_batches(
    examples: LabelledImages,
    batch_size: int,
    *,
    moves: Augmentation | None = None,
    seed: int = 0,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de imágenes y clases; con `moves`, cada vez que sale una imagen sale movida."""
    return moved_batches(examples.images, examples.labels, batch_size, moves=moves, seed=seed)


def moved_batches(
    images: Float[Tensor, "N C H W"],
    answers: Tensor,
    batch_size: int,
    *,
    moves: Augmentation | None = None,
    seed: int = 0,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Como `image_batches`, con cualquier respuesta por imagen: una clase, o varios síes y noes."""
    generator = torch.Generator().manual_seed(seed + 1)
    for some, wanted in minibatches(images, answers, batch_size=batch_size, seed=seed):
        yield (some if moves is None else move_images(some, moves, generator)), wanted
