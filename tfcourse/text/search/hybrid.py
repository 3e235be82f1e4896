"""Juntar dos buscadores que no puntúan en la misma escala: por puestos."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor


def places(scores: Float[Tensor, "Q N"]) -> Int[Tensor, "Q N"]:
    """El puesto de cada documento en cada consulta: 1 para el de mayor puntuación.

    Los empatados comparten el último de sus puestos: así, los que no tienen ninguna palabra de la
    consulta no se ordenan entre sí.
    """
    ordered = scores.sort(dim=1).values
    return scores.shape[1] - torch.searchsorted(ordered, scores.contiguous())


def fused_by_place(
    several: Sequence[Float[Tensor, "Q N"]], k: float = 60.0
) -> Float[Tensor, "Q N"]:
    """Fusión por puestos recíprocos: la suma de 1 / (k + puesto) en cada buscador.

    Solo mira el orden, así que da igual en qué escala puntúe cada uno.
    Fuente: Cormack, Clarke y Büttcher (2009). Errores: `ValueError` si no hay buscadores.
    """
    if not several:
        raise ValueError("no hay puntuaciones que juntar: pasa las de al menos un buscador")
    return torch.stack([1 / (k + places(scores)) for scores in several]).sum(dim=0)
