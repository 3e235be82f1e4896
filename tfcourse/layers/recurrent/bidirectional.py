"""Lectura en las dos direcciones: cada posición conoce su pasado y su futuro."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.recurrent.cells import unroll


class Bidirectional(nn.Module):
    """Red recurrente bidireccional: h⁽ᵗ⁾ = [h→⁽ᵗ⁾ ; h←⁽ᵗ⁾].

    Una celda lee de izquierda a derecha y otra, con sus propios pesos, de derecha a izquierda.
    Fuente: Schuster y Paliwal (1997).
    """

    def __init__(self, forward_cell: nn.Module, backward_cell: nn.Module):
        super().__init__()
        self.forward_cell, self.backward_cell = forward_cell, backward_cell

    def forward(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B T D2"]:
        """Estados de las dos direcciones, concatenados en cada posición."""
        ahead, _ = unroll(self.forward_cell, x)
        behind, _ = unroll(self.backward_cell, x.flip(1))
        return torch.cat([ahead, behind.flip(1)], dim=-1)
