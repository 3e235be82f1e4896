"""Colorear la imagen por casillas: un examen aparte para el que lee la imagen."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

PER_SIDE = 4  # cada casilla responde de 4 × 4 puntos


class PatchHead(nn.Linear):
    """De cada casilla, de qué clase es cada uno de sus 4 × 4 puntos; la 0 es el fondo."""

    def __init__(self, d_model: int, n_classes: int):
        super().__init__(d_model, PER_SIDE**2 * (n_classes + 1))

    def forward(self, input: Float[Tensor, "B L D"]) -> Float[Tensor, "B L P C"]:
        """Logits de cada punto de cada casilla; `input` es la memoria, un vector por casilla."""
        return super().forward(input).unflatten(-1, (PER_SIDE**2, -1))


def patch_labels(semantic: Int[Tensor, "B S S"], cells: int) -> Int[Tensor, "B L P"]:
    """La clase de los puntos de cada casilla, con `cells` casillas por lado.

    Errores: `ValueError` si las casillas no encajan en la imagen.
    """
    step, rest = divmod(semantic.shape[-1], cells * PER_SIDE)
    if rest or not step:
        raise ValueError(
            f"una imagen de lado {semantic.shape[-1]} no se reparte en {cells} casillas de "
            f"{PER_SIDE} puntos por lado"
        )
    points = semantic[:, ::step, ::step]
    grid = points.unflatten(1, (cells, PER_SIDE)).unflatten(3, (cells, PER_SIDE))
    return grid.transpose(2, 3).flatten(3).flatten(1, 2)


def patch_loss(
    logits: Float[Tensor, "B L P C"], semantic: Int[Tensor, "B S S"]
) -> Float[Tensor, ""]:
    """Entropía cruzada media por punto. La cuadrícula es cuadrada."""
    labels = patch_labels(semantic, round(logits.shape[1] ** 0.5))
    return F.cross_entropy(logits.flatten(0, 2), labels.flatten())
