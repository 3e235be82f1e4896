"""Recortar la caja de cada figura, y llevar los puntos de la imagen al recorte y al revés."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

MARGIN = 1.2  # el recorte, en veces el lado mayor de la caja


class Squares(NamedTuple):
    """Cuadrados de una imagen: centro y lado, en partes de ella."""

    centers: Float[Tensor, "N 2"]
    sides: Float[Tensor, "N"]

    def into(self, points: Float[Tensor, "N K 2"]) -> Float[Tensor, "N K 2"]:
        """De la imagen al recorte."""
        return (points - self.centers[:, None]) / self.sides[:, None, None] + 0.5

    def out_of(self, points: Float[Tensor, "N K 2"]) -> Float[Tensor, "N K 2"]:
        """Del recorte a la imagen: deshace `into`."""
        return (points - 0.5) * self.sides[:, None, None] + self.centers[:, None]


def squares_around(boxes: Float[Tensor, "N 4"], margin: float = MARGIN) -> Squares:
    """El cuadrado que rodea cada caja (cx, cy, w, h), con un margen.

    Errores: `ValueError` si alguna caja no tiene tamaño.
    """
    sides = boxes[:, 2:].amax(dim=1)
    if (sides <= 0).any():
        raise ValueError(
            f"la caja número {int((sides <= 0).nonzero()[0, 0])} no tiene tamaño: quita las cajas "
            "de relleno antes de recortar"
        )
    return Squares(boxes[:, :2], margin * sides)


def crop_boxes(
    images: Float[Tensor, "B 3 S S"],
    owners: Int[Tensor, "N"],
    squares: Squares,
    size: int,
) -> Float[Tensor, "N 3 T T"]:
    """El recorte de cada cuadrado, llevado a `size` píxeles; fuera de la imagen, gris oscuro."""
    line = (torch.arange(size, device=images.device) + 0.5) / size
    grid = torch.stack(torch.meshgrid(line, line, indexing="xy"), dim=-1).flatten(0, 1)
    places = squares.out_of(grid.expand(len(owners), -1, -1))
    places = places.unflatten(1, (size, size))
    dark = 0.2
    cut = F.grid_sample(
        images[owners] - dark, 2 * places - 1, padding_mode="zeros", align_corners=False
    )
    return (cut + dark).clamp(0, 1)
