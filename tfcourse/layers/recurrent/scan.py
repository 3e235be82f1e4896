"""Recurrencias lineales: las que no tienen que esperar al paso anterior."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def linear_recurrence(
    a: Float[Tensor, "B T D"], b: Float[Tensor, "B T D"]
) -> Float[Tensor, "B T D"]:
    """Recurrencia lineal por barrido asociativo: h⁽ᵗ⁾ = a⁽ᵗ⁾ ⊙ h⁽ᵗ⁻¹⁾ + b⁽ᵗ⁾, con h⁽⁰⁾ = 0.

    Dos pasos seguidos son otro paso del mismo tipo: (a₂a₁, a₂b₁ + b₂). En cada vuelta, cada
    posición se junta con la que está 1, 2, 4, 8… antes: ⌈log₂ T⌉ vueltas en lugar de T.
    Fuente: Hillis y Steele (1986); Blelloch (1990), § 1.4.
    """
    reach, length = 1, a.shape[1]
    while reach < length:
        earlier_a = torch.cat([torch.ones_like(a[:, :reach]), a[:, :-reach]], dim=1)
        earlier_b = torch.cat([torch.zeros_like(b[:, :reach]), b[:, :-reach]], dim=1)
        a, b = a * earlier_a, a * earlier_b + b
        reach *= 2
    return b


class MinGRU(nn.Module):
    """GRU mínima: la compuerta y la candidata solo leen la entrada, y el estado no las frena.

    h⁽ᵗ⁾ = Z⁽ᵗ⁾ ⊙ h⁽ᵗ⁻¹⁾ + (1 − Z⁽ᵗ⁾) ⊙ h̃⁽ᵗ⁾, con Z y h̃ de x⁽ᵗ⁾. Aquí Z = 1 conserva, como en la GRU
    de este curso; en el artículo, al revés. Fuente: Feng et al. (2024), § 3.1.
    """

    def __init__(self, d_input: int, d_hidden: int):
        super().__init__()
        self.input_proj = nn.Linear(d_input, 2 * d_hidden)

    def forward(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B T Dh"]:
        """Todos los estados a la vez."""
        keep, candidate = self.steps(x)
        return linear_recurrence(keep, (1 - keep) * candidate)

    def steps(self, x: Float[Tensor, "B T Dx"]) -> tuple[Tensor, Tensor]:
        """Compuerta y candidata de cada paso."""
        keep, candidate = self.input_proj(x).chunk(2, dim=-1)
        return torch.sigmoid(keep), candidate
