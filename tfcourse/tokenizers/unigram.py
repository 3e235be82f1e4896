"""Unigram: se parte de muchísimos trozos con su probabilidad y se van quitando los que sobran."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from tfcourse.tokenizers.base import SPECIAL_TOKENS, Tokenizer, check_size
from tfcourse.tokenizers.lattice import Lattice
from tfcourse.tokenizers.splitting import count_words, split_words

MAX_PIECE = 16
UNKNOWN_PENALTY = 10.0  # lo desconocido puntúa peor que el peor trozo
EM_STEPS, SHRINK, SEEDS_PER_TOKEN = 2, 0.75, 10


def seed_pieces(counts: Counter[str], n_pieces: int) -> dict[str, int]:
    """Trozos de partida: los caracteres y los trozos que más texto cubren (veces por letras)."""
    found: Counter[str] = Counter()
    for word, count in counts.items():
        for i in range(len(word)):
            for j in range(i + 1, min(len(word), i + MAX_PIECE) + 1):
                found[word[i:j]] += count
    characters = {piece: n for piece, n in found.items() if len(piece) == 1}
    longer = [piece for piece, n in found.items() if n > 1 and len(piece) > 1]
    longer.sort(key=lambda piece: (-found[piece] * len(piece), piece))
    return characters | {piece: found[piece] for piece in longer[:n_pieces]}


def loss_without(
    score: np.ndarray, expected: np.ndarray, alternative: np.ndarray, single: np.ndarray
) -> np.ndarray:
    """Log-verosimilitud que se pierde al quitar cada trozo; infinita si es un carácter.

    Lo que se escribía con el trozo pasa a escribirse con su mejor corte sin él, de puntaje
    `alternative`. Fuente: Kudo (2018), § 3.2.
    """
    return np.where(single, np.inf, expected * (score - np.where(single, 0.0, alternative)))


def learn_pieces(
    words: Counter[str], seeds: Mapping[str, float], n_pieces: int
) -> dict[str, float]:
    """Los `n_pieces` mejores trozos y su log-probabilidad: EM, quitar los peores y otra vez."""
    pieces = np.array(list(seeds), dtype=object)
    ids, counts = {piece: i for i, piece in enumerate(pieces)}, np.array(list(words.values()))
    lengths = np.array([len(piece) for piece in pieces])
    probability = np.array(list(seeds.values())) / sum(seeds.values())
    in_words = Lattice.build(list(words), ids)  # los cortes de cada palabra
    in_pieces = Lattice.build(list(pieces), ids, whole=False)  # los de cada trozo, sin él
    alive = np.arange(len(pieces))
    while True:
        for _ in range(EM_STEPS):
            expected, _ = in_words.expected_counts(probability, lengths[alive], counts)
            probability = np.maximum(expected, 1e-6) / np.maximum(expected, 1e-6).sum()
        score = np.log(probability)
        if len(alive) <= n_pieces:
            return dict(zip(pieces[alive].tolist(), score.tolist(), strict=True))
        alternative = in_pieces.best_scores(score)[alive]
        loss = loss_without(score, expected, alternative, lengths[alive] == 1)
        n_kept = max(n_pieces, int(len(alive) * SHRINK))
        kept = np.zeros(len(alive), dtype=bool)
        kept[np.argsort(-loss, kind="stable")[:n_kept]] = True
        in_words, in_pieces = in_words.keep(kept), in_pieces.keep(kept)
        alive, probability = alive[kept], probability[kept] / probability[kept].sum()


class UnigramTokenizer(Tokenizer):
    """Tokenizador Unigram: de todos los cortes de una palabra, el más probable.

    La probabilidad de un corte es el producto de las de sus trozos; `scores` son sus logaritmos.
    Fuente: Kudo (2018), § 3.2.
    """

    def __init__(
        self, tokens: Iterable[str], scores: Iterable[float], special_tokens: Iterable[str] = ()
    ):
        super().__init__(tokens, special_tokens)
        self.scores = list(scores)
        pieces = self.tokens[len(self.special_tokens) :]
        if len(pieces) != len(self.scores):
            raise ValueError(
                f"hay {len(pieces)} trozos y {len(self.scores)} puntajes: hace falta uno por trozo"
            )
        self._scores = dict(zip(pieces, self.scores, strict=True))
        self._longest = max(map(len, pieces), default=1)
        self._unknown_score = min(self.scores, default=0.0) - UNKNOWN_PENALTY

    @classmethod
    def train(
        cls,
        texts: str | Iterable[str],
        n_tokens: int,
        *,
        special_tokens: Iterable[str] = (),
        seeds: Mapping[str, float] | None = None,
    ) -> "UnigramTokenizer":
        """Aprende los trozos y su probabilidad, desde `seeds` o desde los más frecuentes.

        Errores: `ValueError` si no hay texto o si en `n_tokens` no cabe el alfabeto.
        """
        words = count_words(texts)
        n_special = len(SPECIAL_TOKENS) + len(tuple(special_tokens))
        seeds = seeds or seed_pieces(words, SEEDS_PER_TOKEN * n_tokens)
        check_size(n_tokens, sum(len(piece) == 1 for piece in seeds), n_special)
        learned = learn_pieces(words, seeds, n_tokens - n_special)
        ranked = sorted(learned.items(), key=lambda item: (-item[1], item[0]))
        return cls([piece for piece, _ in ranked], [score for _, score in ranked], special_tokens)

    def split(self, text: str) -> list[str]:
        """Palabras con el espacio que las precede."""
        return split_words(text)

    def encode_word(self, word: str) -> list[int]:
        """El corte más probable (Viterbi); si empatan, el que acaba en el trozo más largo."""
        best: list[tuple[float, int]] = [(0.0, 0)]  # puntaje hasta cada corte, y de dónde viene
        for stop in range(1, len(word) + 1):
            options = []
            for start in range(max(0, stop - self._longest), stop):
                score = self._score(word[start:stop])
                if score is not None:
                    options.append((best[start][0] + score, start))
            best.append(max(options, key=lambda option: option[0]))
        cuts, stop = [], len(word)
        while stop:
            start = best[stop][1]
            cuts.append(self._ids.get(word[start:stop], self.unknown_id))
            stop = start
        return cuts[::-1]

    def _score(self, piece: str) -> float | None:
        score = self._scores.get(piece)
        return self._unknown_score if score is None and len(piece) == 1 else score

    def word_score(self, word: str) -> float:
        """Log-probabilidad de una palabra: la de todos sus cortes, sumada."""
        reached = [0.0] + [-math.inf] * len(word)
        for stop in range(1, len(word) + 1):
            for start in range(max(0, stop - self._longest), stop):
                score = self._score(word[start:stop])
                if score is not None:
                    reached[stop] = np.logaddexp(reached[stop], reached[start] + score)
        return float(reached[-1])

    def join(self, tokens: list[str]) -> str:
        """Los tokens seguidos: llevan dentro sus espacios."""
        return "".join(tokens)

    def state(self) -> dict:
        """Los argumentos de su constructor."""
        return {**super().state(), "scores": self.scores}
