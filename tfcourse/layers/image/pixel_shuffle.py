"""Juntar vecinos: cada cuadrado de parches pasa a ser un solo token, más ancho."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


def pixel_shuffle(states: Float[Tensor, "B N D"], factor: int) -> Float[Tensor, "B M E"]:
    """De `factor` × `factor` tokens vecinos, uno con los números de todos: M = N/f² y E = D·f².

    Los tokens llenan una rejilla cuadrada, por filas. En cada cuadrado van primero los de arriba,
    de izquierda a derecha. No se pierde ni se calcula nada: solo cambia la forma.
    Fuente: Shi et al. (2016), al revés; Laurençon et al. (2024).
    Errores: `ValueError` si no hay una rejilla cuadrada o no se reparte en cuadrados enteros.
    """
    side = math.isqrt(states.shape[1])
    if side * side != states.shape[1]:
        raise ValueError(
            f"llegaron {states.shape[1]} tokens y no llenan una rejilla cuadrada: quita el token "
            "de clase, o usa una imagen con tantas filas de parches como columnas"
        )
    if factor < 1 or side % factor:
        raise ValueError(
            f"factor={factor}: una rejilla de {side} × {side} no se reparte en cuadrados de ese "
            f"lado; usa un divisor de {side}"
        )
    grid = states.unflatten(1, (side // factor, factor, side // factor, factor))
    return grid.permute(0, 1, 3, 2, 4, 5).flatten(3).flatten(1, 2)


class Projector(nn.Module):
    """Proyector: junta vecinos y, con una red de dos capas, da vectores del ancho del lector.

    Fuentes: Liu et al. (2024), la red; Laurençon et al. (2024), juntar antes.
    """

    def __init__(self, d_image: int, d_model: int, factor: int = 1, d_hidden: int | None = None):
        super().__init__()
        self.factor = factor
        self.hidden = nn.Linear(d_image * factor**2, d_hidden or d_model)
        self.output = nn.Linear(d_hidden or d_model, d_model)

    def forward(self, states: Float[Tensor, "B N D"]) -> Float[Tensor, "B M E"]:
        """Los tokens de imagen, como los lee el modelo de lenguaje."""
        return self.output(
            torch.nn.functional.gelu(self.hidden(pixel_shuffle(states, self.factor)))
        )
