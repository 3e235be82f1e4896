"""Ondas de una coordenada continua de la imagen: las posiciones de DETR y de sus anclas."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def coordinate_waves(
    coordinates: Float[Tensor, "*B K"], d_each: int, temperature: float = 10_000.0
) -> Float[Tensor, "*B KD"]:
    """Senos y cosenos de cada coordenada, entre 0 y 1: `d_each` números por coordenada, seguidos.

    La componente 2i oscila con periodo `temperature^(2i/d_each)` imágenes: la más rápida da una
    vuelta a lo ancho de la imagen. Fuente: Carion et al. (2020), apéndice A.4.
    Errores: `ValueError` si `d_each` es impar.
    """
    if d_each < 2 or d_each % 2:
        raise ValueError(
            f"d_each={d_each} tiene que ser par, a partir de 2: cada frecuencia necesita un seno y "
            "un coseno"
        )
    steps = torch.arange(0, d_each, 2, device=coordinates.device, dtype=coordinates.dtype)
    angles = 2 * math.pi * coordinates[..., None] * temperature ** (-steps / d_each)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-3)


def cell_centers(rows: int, columns: int) -> Float[Tensor, "L 2"]:
    """El centro (x, y) de cada casilla de una cuadrícula, por filas y entre 0 y 1."""
    y, x = torch.meshgrid(
        (torch.arange(rows) + 0.5) / rows, (torch.arange(columns) + 0.5) / columns, indexing="ij"
    )
    return torch.stack([x, y], dim=-1).flatten(0, 1)


def grid_waves(rows: int, columns: int, d_model: int) -> Float[Tensor, "L D"]:
    """Posiciones sinusoidales de una imagen, por filas: media para la fila, media para la columna.

    La coordenada va de 1/n a 1, como en el código de Carion et al. (2020). Errores: `ValueError`
    si `d_model` no es múltiplo de 4.
    """
    if d_model % 4:
        raise ValueError(
            f"d_model={d_model} no es múltiplo de 4: hace falta un seno y un coseno por eje; usa "
            f"d_model={4 * round(d_model / 4) or 4}"
        )
    shift = torch.tensor([0.5 / columns, 0.5 / rows])
    return coordinate_waves((cell_centers(rows, columns) + shift).flip(-1), d_model // 2)
