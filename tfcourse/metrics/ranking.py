"""Medir un orden: si los casos quedan por delante de los demás."""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def area_under_roc(scores: Float[Tensor, " N"], labels: Int[Tensor, " N"]) -> float:
    """AUROC: la probabilidad de que un caso puntúe más que un no caso; los empates, la mitad.

    Errores: `ValueError` si falta alguna de las dos clases.
    """
    cases, others = scores[labels == 1], scores[labels == 0]
    if not len(cases) or not len(others):
        raise ValueError(
            f"hay {len(cases)} casos y {len(others)} no casos: hacen falta de los dos para comparar"
        )
    others = others.sort().values
    below = torch.searchsorted(others, cases)
    not_above = torch.searchsorted(others, cases, right=True)
    return float((below + not_above).double().mean() / 2 / len(others))
