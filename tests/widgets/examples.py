"""Ejemplos de alineamiento con los que se prueban las figuras."""

import numpy as np

from tfcourse.widgets import AlignmentExample

SOURCE = list("martes, 5 de marzo de 1987")
TARGET = list("1987-03-05")
PEAKS = [22, 23, 24, 25, 25, 12, 13, 10, 8, 8]


def date_weights(peak: float = 0.95) -> np.ndarray:
    weights = np.full((len(TARGET), len(SOURCE)), (1 - peak) / (len(SOURCE) - 1))
    weights[np.arange(len(TARGET)), PEAKS] = peak
    return weights


def date_example(**changes) -> AlignmentExample:
    fields = {"source": SOURCE, "target": TARGET, "weights": date_weights(), "title": "Fecha"}
    return AlignmentExample(**(fields | changes))


def word_example() -> AlignmentExample:
    weights = [[0.7, 0.3, 0.0], [0.2, 0.0, 0.8], [0.0, 0.0, 0.0]]
    return AlignmentExample(
        ["the", "red", "house"], ["la", "casa", "azul"], weights, "Palabras", ["la", "casa", "roja"]
    )
