"""Distancia de edición: cuántos cambios separan lo escrito de lo que se esperaba."""

from collections.abc import Sequence


def edit_distance(written: Sequence, expected: Sequence) -> int:
    """Distancia de Levenshtein: el menor número de altas, bajas y cambios de una a otra."""
    previous = list(range(len(expected) + 1))
    for i, symbol in enumerate(written, start=1):
        current = [i]
        for j, wanted in enumerate(expected, start=1):
            substitution = previous[j - 1] + (symbol != wanted)
            current.append(min(previous[j] + 1, current[-1] + 1, substitution))
        previous = current
    return previous[-1]


def error_rate(written: Sequence[Sequence], expected: Sequence[Sequence]) -> float:
    """Tasa de error: cambios necesarios entre símbolos esperados, en todo el conjunto.

    Con cadenas es la tasa de error por carácter (CER); con listas de palabras, la de palabras
    (WER). Puede pasar de 1 si se escribe de más.
    Errores: `ValueError` si no hay tantas de unas como de otras, o no se espera nada.
    """
    if len(written) != len(expected) or not sum(map(len, expected)):
        raise ValueError(
            f"hay {len(written)} respuestas y {len(expected)} esperadas: deben ser tantas unas "
            "como otras, y en las esperadas tiene que haber algo"
        )
    changes = sum(edit_distance(a, b) for a, b in zip(written, expected, strict=True))
    return changes / sum(map(len, expected))
