"""FastText: el vector de una palabra es la media de los de sus trozos, y así hay para todas."""

from collections import Counter
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.word2vec import SkipGram

NO_PIECE = 0  # relleno de la tabla de trozos: no suma


def word_ngrams(word: str, smallest: int = 3, largest: int = 5) -> list[str]:
    """Trozos de una palabra, con su principio y su fin marcados: «<cas», «casa», «asa>»…

    Fuente: Bojanowski et al. (2017), § 3.2 (allí, de 3 a 6 letras).
    """
    marked = f"<{word}>"
    return [
        marked[start : start + size]
        for size in range(smallest, largest + 1)
        for start in range(len(marked) - size + 1)
    ]


class SubwordSkipGram(SkipGram):
    """Skip-gram con trozos: cada palabra, la media de su propio vector y los de sus n-gramas.

    Solo cuentan los n-gramas que comparten al menos `min_words` palabras. `centre` es la tabla de
    trozos: primero el relleno, después las palabras enteras y al final los n-gramas.
    Fuente: Bojanowski et al. (2017), § 3.2 (allí suman, y los n-gramas comparten casillas).
    """

    def __init__(self, words: Sequence[str], d_embedding: int, min_words: int = 2):
        super().__init__(len(words), d_embedding)
        shared = Counter(piece for word in words for piece in set(word_ngrams(word)))
        kept = sorted(piece for piece, n in shared.items() if n >= min_words)
        self.ngrams = {piece: 1 + len(words) + i for i, piece in enumerate(kept)}
        self.centre = nn.Embedding(1 + len(words) + len(kept), d_embedding)
        nn.init.uniform_(self.centre.weight, -0.5 / d_embedding, 0.5 / d_embedding)
        rows = [torch.tensor([1 + number, *self._known(word)]) for number, word in enumerate(words)]
        self.register_buffer("pieces", nn.utils.rnn.pad_sequence(rows, batch_first=True))

    def _known(self, word: str) -> list[int]:
        return [self.ngrams[piece] for piece in word_ngrams(word) if piece in self.ngrams]

    def embed(self, words: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Vectores de unas palabras; en un lote, cada una se compone una sola vez."""
        different, where = words.unique(return_inverse=True)
        return self._mean(self.pieces[different])[where]

    def _mean(self, pieces: Int[Tensor, "N M"]) -> Float[Tensor, "N D"]:
        return F.embedding_bag(pieces, self.centre.weight, mode="mean", padding_idx=NO_PIECE)

    @torch.no_grad()
    def vector_of(self, word: str) -> Float[Tensor, "D"]:
        """Vector de cualquier palabra, aunque no se haya visto nunca, por sus n-gramas.

        Errores: `ValueError` si no comparte ningún n-grama con las del entrenamiento.
        """
        known = self._known(word)
        if not known:
            raise ValueError(
                f"{word!r} no comparte ningún trozo con las palabras del entrenamiento: no hay de "
                "dónde sacar su vector"
            )
        return self._mean(torch.tensor([known], device=self.pieces.device))[0]
