"""WordPiece: se fusiona el par que más sube la verosimilitud, y se corta por el trozo más largo."""

from collections.abc import Callable, Iterable

import numpy as np
from scipy.special import xlogy

from tfcourse.tokenizers.base import SPECIAL_TOKENS, Tokenizer, check_size
from tfcourse.tokenizers.merging import Pair, PairIndex
from tfcourse.tokenizers.splitting import count_words, split_words_and_signs

CONTINUES = "##"  # marca del trozo que no empieza palabra
MAX_WORD = 100  # una palabra más larga es desconocida, como en BERT
# De las veces que aparecen el par, sus partes y todo, y si las partes son iguales, a lo que gana.
Gain = Callable[[np.ndarray, np.ndarray, np.ndarray, float, np.ndarray], np.ndarray]


def start_pieces(word: str) -> list[str]:
    """La palabra en caracteres: el primero, tal cual; los demás, con la marca de continuación."""
    return [word[0], *(CONTINUES + character for character in word[1:])]


def join_pieces(left: str, right: str) -> str:
    """El trozo que forman dos vecinos."""
    return left + right.removeprefix(CONTINUES)


def likelihood_gain(
    c: np.ndarray, left: np.ndarray, right: np.ndarray, n: float, twin: np.ndarray | bool = False
) -> np.ndarray:
    """Cuánto sube la log-verosimilitud al fusionar un par y volver a estimar las probabilidades.

    `c` son las veces que aparece el par; `left` y `right`, las de sus partes, c_a y c_b; `n`, los
    símbolos que hay, N. Con φ(x) = x log x, la ganancia es φ(c) + φ(c_a − c) − φ(c_a) + φ(c_b − c)
    − φ(c_b) + φ(N) − φ(N − c); si c es pequeño, c · (log(c N / (c_a c_b)) − 1).
    `twin` dice si las dos partes son el mismo símbolo, que entonces pierde 2c.
    """
    left_change = phi(left - np.where(twin, 2 * c, c)) - phi(left)
    right_change = np.where(twin, 0.0, phi(right - c) - phi(right))
    return phi(c) + left_change + right_change + phi(n) - phi(n - c)


def association(
    c: np.ndarray, left: np.ndarray, right: np.ndarray, n: float, twin: np.ndarray | bool = False
) -> np.ndarray:
    """Cuánto más de lo que daría el azar van juntas dos partes: c · log(c N / (c_a c_b)).

    No es la ganancia de verosimilitud: olvida que cada parte pierde c apariciones y que el texto
    se queda con c símbolos menos, lo que resta otro c. `twin` no cambia nada.
    """
    return c * np.log(c * n / (left * right))


def phi(x: np.ndarray | float) -> np.ndarray | float:
    """x log x, y cero si x no es positivo."""
    return xlogy(x, np.maximum(x, 1.0))


class PairGains:
    """Ganancia de cada par: cuánto sube, al fusionarlo, la log-verosimilitud del texto.

    El texto se mira como una bolsa de símbolos independientes; `gain` es la función que puntúa. En
    un símbolo repetido, «0·0», las apariciones que se pisan («000») cuentan las dos.
    Fuente: criterio de Schuster y Nakajima (2012), § 3.1: la unidad que más sube la verosimilitud.
    """

    def __init__(self, index: PairIndex, min_count: int = 2, gain: Gain = likelihood_gain):
        self.index, self.min_count, self.gain = index, min_count, gain
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
        """El par que más gana, o `None` si ninguno que se repita lo bastante gana algo."""
        symbols = self.index.symbols
        table = np.zeros(max(symbols) + 1)
        table[list(symbols)] = list(symbols.values())
        slots = np.flatnonzero(self.count >= self.min_count)
        if not len(slots):
            return None
        left, right = self.left[slots], self.right[slots]
        gains = self.gain(self.count[slots], table[left], table[right], table.sum(), left == right)
        best = int(gains.argmax())
        return (int(left[best]), int(right[best])) if gains[best] > 0 else None


class WordPieceTokenizer(Tokenizer):
    """Tokenizador WordPiece: cada palabra se corta, de izquierda a derecha, por el trozo más largo.

    Los trozos que no empiezan palabra llevan «##». Si una palabra no se puede cortar entera, toda
    ella es desconocida.
    Fuente: Schuster y Nakajima (2012), el aprendizaje; el código de Devlin et al. (2019), el corte.
    """

    @classmethod
    def train(
        cls,
        texts: str | Iterable[str],
        n_tokens: int,
        *,
        special_tokens: Iterable[str] = (),
        gain: Gain = likelihood_gain,
    ) -> "WordPieceTokenizer":
        """Aprende un vocabulario de `n_tokens`; de menos, si ningún par gana ya nada.

        Errores: `ValueError` si no hay texto o si en `n_tokens` no cabe el alfabeto.
        """
        counts = count_words(texts, split_words_and_signs)
        alphabet = sorted({piece for word in counts for piece in start_pieces(word)})
        specials = (*SPECIAL_TOKENS, *special_tokens)
        check_size(n_tokens, len(alphabet), len(specials))
        tokens = [*specials, *alphabet]
        ids = {token: number for number, token in enumerate(tokens)}
        index = PairIndex(([ids[p] for p in start_pieces(word)], n) for word, n in counts.items())
        gains = PairGains(index, gain=gain)
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
