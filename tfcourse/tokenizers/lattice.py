"""Retícula de trozos: todas las maneras de cortar muchas palabras a la vez, sin enumerarlas."""

from dataclasses import dataclass

import numpy as np

CHARACTER_ODDS = 12.0  # compensa lo que pierde la probabilidad con cada letra: nada se desborda


@dataclass
class Lattice:
    """Retícula: los cortes son nodos y cada trozo posible de una palabra, una flecha entre dos.

    `start` y `end` son los nodos de cada flecha y `piece` su trozo; `first` y `last`, los nodos
    extremos de cada palabra. Las flechas van ordenadas por `depth`, la distancia de su final al
    principio de la palabra, y `bounds` dice dónde empieza cada distancia.
    """

    start: np.ndarray
    end: np.ndarray
    piece: np.ndarray
    bounds: np.ndarray
    first: np.ndarray
    last: np.ndarray

    @classmethod
    def build(cls, words: list[str], pieces: dict[str, int], *, whole: bool = True) -> "Lattice":
        """Retícula de unas palabras; con `whole=False`, ninguna palabra vale como trozo de sí."""
        longest = max(map(len, pieces))
        arrows, first = [], np.cumsum([0, *(len(word) + 1 for word in words)])
        for node, word in zip(first.tolist(), words, strict=False):
            size = len(word)
            for i in range(size):
                for j in range(i + 1, min(size, i + longest) + 1):
                    found = pieces.get(word[i:j])
                    if found is not None and (whole or j - i < size):
                        arrows.append((j, node + i, node + j, found))
        table = np.array(arrows, dtype=np.int64).reshape(-1, 4)
        depth, start, end, piece = table[np.argsort(table[:, 0], kind="stable")].T
        bounds = np.searchsorted(depth, np.arange(1, max(map(len, words)) + 2))
        return cls(start, end, piece, bounds, first[:-1], first[1:] - 1)

    def keep(self, kept: np.ndarray) -> "Lattice":
        """La misma retícula sin los trozos descartados; los demás se renumeran."""
        alive = kept[self.piece]
        renumbered = np.cumsum(kept) - 1
        bounds = np.concatenate([[0], np.cumsum(alive)])[self.bounds]
        arrows = self.start[alive], self.end[alive], renumbered[self.piece[alive]]
        return Lattice(*arrows, bounds, self.first, self.last)

    def layers(self):
        """Las flechas, por la distancia de su final: primero las que acaban en la primera letra."""
        for low, high in zip(self.bounds, self.bounds[1:], strict=False):
            yield slice(low, high)

    def expected_counts(
        self, probability: np.ndarray, lengths: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Veces que se espera usar cada trozo y log-verosimilitud (hacia delante y hacia atrás).

        `counts` dice cuántas veces aparece cada palabra.
        """
        weight = (probability * CHARACTER_ODDS**lengths)[self.piece]
        n_nodes = self.last[-1] + 1
        forward, backward = np.zeros(n_nodes), np.zeros(n_nodes)
        forward[self.first], backward[self.last] = 1.0, 1.0
        for layer in self.layers():
            mass = forward[self.start[layer]] * weight[layer]
            np.add.at(forward, self.end[layer], mass)
        for layer in reversed(list(self.layers())):
            mass = backward[self.end[layer]] * weight[layer]
            np.add.at(backward, self.start[layer], mass)
        total = np.maximum(forward[self.last], np.finfo(float).tiny)
        word_of = np.repeat(np.arange(len(self.first)), np.diff([*self.first, n_nodes]))
        scale = (counts / total)[word_of]
        used = forward[self.start] * weight * backward[self.end] * scale[self.start]
        sizes = self.last - self.first
        likelihood = float(counts @ (np.log(total) - sizes * np.log(CHARACTER_ODDS)))
        return np.bincount(self.piece, used, minlength=len(probability)), likelihood

    def best_scores(self, score: np.ndarray) -> np.ndarray:
        """Puntaje del mejor corte de cada palabra; −∞ si no hay ninguno (Viterbi)."""
        best = np.full(self.last[-1] + 1, -np.inf)
        best[self.first] = 0.0
        for layer in self.layers():
            reached = best[self.start[layer]] + score[self.piece[layer]]
            np.maximum.at(best, self.end[layer], reached)
        return best[self.last]
