"""Despliegue de la atención: de qué parches acaba hecho cada vector tras todas las capas."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor


def attention_rollout(
    maps: Sequence[Float[Tensor, "*B H L L"]], residual: float = 0.5
) -> Float[Tensor, "*B L L"]:
    """Despliegue de la atención: el producto de los pesos de todas las capas.

    En cada capa se promedian las cabezas y se mezcla con la identidad, que es el camino residual:
    A = residual · I + (1 − residual) · media de las cabezas. Después, A_n ⋯ A_2 A_1: la fila i dice
    cuánto de cada token de entrada lleva el token i al final, y suma 1.
    Fuente: Abnar y Zuidema (2020), § 3. Errores: `ValueError` si no hay capas, si los mapas no son
    cuadrados e iguales o si `residual` no está entre 0 y 1.
    """
    if not maps or len({m.shape[-2:] for m in maps}) > 1 or maps[0].shape[-1] != maps[0].shape[-2]:
        raise ValueError(
            f"llegaron mapas de forma {[tuple(m.shape) for m in maps]}: hace falta uno por capa, "
            "todos cuadrados y del mismo tamaño"
        )
    if not 0 <= residual <= 1:
        raise ValueError(f"residual={residual}: es la parte del camino residual, entre 0 y 1")
    length = maps[0].shape[-1]
    identity = torch.eye(length, dtype=maps[0].dtype, device=maps[0].device)
    total = identity
    for layer in maps:
        total = (residual * identity + (1 - residual) * layer.mean(dim=-3)) @ total
    return total
