"""WordPiece: se fusiona el par que más sube la verosimilitud, y se corta por el trozo más largo."""

from collections.abc import Iterable

import numpy as np

from tfcourse.tokenizers.base import SPECIAL_TOKENS, Tokenizer, check_size
from tfcourse.tokenizers.merging import Pair, PairIndex
from tfcourse.tokenizers.splitting import count_words, split_words_and_signs

CONTINUES = "##"  # marca del trozo que no empieza palabra
MAX_WORD = 100  # una palabra más larga es desconocida, como en BERT


def start_pieces(word: str) -> list[str]:
    """La palabra en caracteres: el primero, tal cual; los demás, con la marca de continuación."""
    return [word[0], *(CONTINUES + character for character in word[1:])]


def join_pieces(left: str, right: str) -> str:
    """El trozo que forman dos vecinos."""
    return left + right.removeprefix(CONTINUES)


class PairGains:
    """Ganancia de cada par: cuánto sube, al fusionarlo, la log-verosimilitud del texto.

    Con c apariciones del par, c_a y c_b de sus partes y N símbolos en total, la ganancia es
    c · log(c N / (c_a c_b)) (sin los términos de orden menor): el par que es frecuente y que lo es
    más de lo que daría el azar. Fuente: criterio de Schuster y Nakajima (2012), § 3.1.
    """

    def __init__(self, index: PairIndex, min_count: int = 2):
        self.index, self.min_count = index, min_count
        self.slots: dict[Pair, int] = {}
        self.left, self.right = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        self.count = np.zeros(0)
        self.update(index.pairs)

    def update(self, changed: Iterable[Pair]) -> None:
        """Pone al día los pares que han cambiado."""
        index, changed = self.index, list(changed)
        new = [pair for pair in changed if pair not in self.slots and pair in index.pairs]
        self.slots |= {pair: len(self.slots) + i for i, pair in enumerate(new)}
        self.left = np.append(self.left, [pair[0] for pair in new]).astype(np.int64)
        self.right = np.append(self.right, [pair[1] for pair in new]).astype(np.int64)
        self.count = np.append(self.count, np.zeros(len(new)))
        for pair in changed:
            if pair in self.slots:
                self.count[self.slots[pair]] = index.pairs[pair]
        if np.count_nonzero(self.count) < len(self.count) / 2:
            self._drop_empty()

    def _drop_empty(self) -> None:
        kept = self.count > 0
        self.left, self.right = self.left[kept], self.right[kept]
        self.count = self.count[kept]
        pairs = zip(self.left.tolist(), self.right.tolist(), strict=True)
        self.slots = {pair: slot for slot, pair in enumerate(pairs)}

    def best(self) -> Pair | None:
        """El par que más gana, o `None` si ninguno se repite lo bastante."""
        symbols = self.index.symbols
        table = np.zeros(max(symbols) + 1)
        table[list(symbols)] = list(symbols.values())
        ok = self.count >= self.min_count
        if not ok.any():
            return None
        parts = np.where(ok, table[self.left] * table[self.right], 1.0)
        count = np.where(ok, self.count, 1.0)
        gain = np.where(ok, count * np.log(count * table.sum() / parts), -np.inf)
        slot = int(gain.argmax())
        return int(self.left[slot]), int(self.right[slot])


class WordPieceTokenizer(Tokenizer):
    """Tokenizador WordPiece: cada palabra se corta, de izquierda a derecha, por el trozo más largo.

    Los trozos que no empiezan palabra llevan «##». Si una palabra no se puede cortar entera, toda
    ella es desconocida.
    Fuente: Schuster y Nakajima (2012), el aprendizaje; Wu et al. (2016), § 4.1, y Devlin et al.
    (2019), el corte.
    """

    @classmethod
    def train(
        cls, texts: str | Iterable[str], n_tokens: int, *, special_tokens: Iterable[str] = ()
    ) -> "WordPieceTokenizer":
        """Aprende un vocabulario de `n_tokens`; de menos, si ya no hay pares que se repitan.

        Errores: `ValueError` si no hay texto o si en `n_tokens` no cabe el alfabeto.
        """
        counts = count_words(texts, split_words_and_signs)
        alphabet = sorted({piece for word in counts for piece in start_pieces(word)})
        specials = (*SPECIAL_TOKENS, *special_tokens)
        check_size(n_tokens, len(alphabet), len(specials))
        tokens = [*specials, *alphabet]
        ids = {token: number for number, token in enumerate(tokens)}
        index = PairIndex(([ids[p] for p in start_pieces(word)], n) for word, n in counts.items())
        gains = PairGains(index)
        while len(tokens) < n_tokens and (pair := gains.best()):
            joined = join_pieces(tokens[pair[0]], tokens[pair[1]])
            if joined not in ids:
                ids[joined] = len(tokens)
                tokens.append(joined)
            gains.update(index.merge(pair, ids[joined]))
        return cls(tokens[len(specials) :], special_tokens)

    def split(self, text: str) -> list[str]:
        """Palabras y signos; los espacios se pierden."""
        return split_words_and_signs(text)

    def encode_word(self, word: str) -> list[int]:
        """Corta siempre por el trozo más largo que esté en el vocabulario."""
        ids, start = [], 0
        if len(word) > MAX_WORD:
            return [self.unknown_id]
        while start < len(word):
            mark = CONTINUES if start else ""
            for stop in range(len(word), start, -1):
                found = self._ids.get(mark + word[start:stop])
                if found is not None:
                    break
            else:
                return [self.unknown_id]
            ids.append(found)
            start = stop
        return ids

    def join(self, tokens: list[str]) -> str:
        """Las palabras, con los trozos pegados y un espacio entre una y otra."""
        return " ".join(tokens).replace(f" {CONTINUES}", "")
