"""Vectores de palabras: vecinas más cercanas, analogías y su examen."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

Question = tuple[str, str, str, str]


class WordVectors:
    """Tabla de vectores de palabras, de longitud 1: su producto escalar es el coseno.

    Errores: `ValueError` si no hay un vector por palabra.
    """

    def __init__(self, words: Sequence[str], vectors: ArrayLike):
        matrix = np.asarray(vectors, dtype=np.float64)
        if matrix.ndim != 2 or len(matrix) != len(words):
            raise ValueError(
                f"hay {len(words)} palabras y los vectores tienen forma {matrix.shape}: hace falta "
                f"una fila por palabra, ({len(words)}, D)"
            )
        self.words = list(words)
        self.matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __contains__(self, word: str) -> bool:
        return word in self._numbers

    def number(self, word: str) -> int:
        """Número de una palabra.

        Errores: `ValueError` si no tiene vector.
        """
        if word not in self._numbers:
            raise ValueError(
                f"la palabra {word!r} no tiene vector: no aparece bastantes veces en el texto (se "
                "buscan en minúsculas)"
            )
        return self._numbers[word]

    def __getitem__(self, word: str) -> np.ndarray:
        return self.matrix[self.number(word)]

    def _closest(self, target: np.ndarray, banned: Iterable[str], k: int) -> list[str]:
        similarity = self.matrix @ target
        similarity[[self.number(word) for word in banned]] = -np.inf
        return [self.words[number] for number in np.argsort(-similarity, kind="stable")[:k]]

    def nearest(self, word: str, k: int = 5) -> list[str]:
        """Las k palabras de vector más parecido, sin contarla a ella."""
        return self._closest(self[word], [word], k)

    def analogy(self, a: str, b: str, c: str, k: int = 1) -> list[str]:
        """«a es a b como c es a…»: las k palabras más cercanas a b − a + c, sin contar las tres.

        Fuente: Mikolov, Yih y Zweig (2013).
        """
        return self._closest(self[b] - self[a] + self[c], [a, b, c], k)

    def category_precision(self, category: Sequence[str], k: int = 5) -> float:
        """De las k vecinas de cada palabra de una categoría, qué parte está en la categoría.

        Lo más que se puede acertar son las otras palabras de la lista.
        """
        members = set(category)
        within = min(k, len(members) - 1)
        hits = sum(len(members & set(self.nearest(word, within))) for word in category)
        return hits / (within * len(category))

    def analogy_accuracy(self, questions: Sequence[Question], k: int = 1) -> float:
        """Parte de las analogías cuya respuesta está entre las k primeras."""
        return sum(d in self.analogy(a, b, c, k) for a, b, c, d in questions) / len(questions)

    def neighbour_accuracy(self, questions: Sequence[Question], k: int = 1) -> float:
        """Referencia sencilla: las mismas preguntas, contestadas con las vecinas de c sin más."""
        return sum(d in self._closest(self[c], [a, b, c], k) for a, b, c, d in questions) / len(
            questions
        )
