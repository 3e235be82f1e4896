"""Medidas de calidad."""

from collections.abc import Sequence

from jaxtyping import Bool, Float
from torch import Tensor


def exact_match(predicted: Sequence, expected: Sequence) -> float:
    """Coincidencia exacta: la fracción de secuencias idénticas a la esperada.

    Errores: `ValueError` si no hay tantas predicciones como respuestas, o no hay ninguna.
    """
    if len(predicted) != len(expected) or not len(expected):
        raise ValueError(
            f"hay {len(predicted)} predicciones y {len(expected)} respuestas: deben ser tantas "
            "unas como otras, y al menos una"
        )
    return sum(a == b for a, b in zip(predicted, expected, strict=True)) / len(expected)


def attended_mass(weights: Float[Tensor, "*B Ty Tx"], region: Bool[Tensor, "*B Ty Tx"]) -> float:
    """Masa de atención dentro de una región, en media sobre las filas que tienen región.

    Errores: `ValueError` si la región está vacía en todas las filas.
    """
    rows = region.any(dim=-1)
    if not bool(rows.any()):
        raise ValueError("la región está vacía: no hay ninguna posición en la que medir la masa")
    return float((weights * region).sum(dim=-1)[rows].mean())
