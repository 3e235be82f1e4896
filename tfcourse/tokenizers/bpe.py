"""BPE: se parte de los símbolos sueltos y se fusiona, una y otra vez, el par más frecuente."""

import heapq
from collections.abc import Iterable, Sequence

from tfcourse.tokenizers.base import SPECIAL_TOKENS, Tokenizer, check_size
from tfcourse.tokenizers.bytes import byte_characters, from_byte_characters, to_byte_characters
from tfcourse.tokenizers.merging import PairIndex, merge_pair
from tfcourse.tokenizers.splitting import count_words, split_words


def learn_merges(
    index: PairIndex, tokens: list[str], n_tokens: int, min_count: int = 2
) -> list[tuple[int, int]]:
    """Aprende las fusiones de BPE y añade a `tokens` lo que va saliendo.

    En cada paso gana el par más frecuente; en caso de empate, el de números más bajos.
    Fuente: Sennrich, Haddow y Birch (2016), algoritmo 1.
    """
    ids = {token: number for number, token in enumerate(tokens)}
    queue = [(-count, pair) for pair, count in index.pairs.items()]
    heapq.heapify(queue)
    merges = []
    while len(tokens) < n_tokens and queue:
        count, pair = heapq.heappop(queue)
        actual = index.pairs[pair]
        if actual != -count:  # su cuenta bajó mientras esperaba: vuelve a la cola con la buena
            if actual:
                heapq.heappush(queue, (-actual, pair))
            continue
        if actual < min_count:
            break
        joined = tokens[pair[0]] + tokens[pair[1]]
        if joined not in ids:  # dos fusiones distintas pueden escribir lo mismo
            ids[joined] = len(tokens)
            tokens.append(joined)
        merges.append(pair)
        for changed, difference in index.merge(pair, ids[joined]).items():
            if difference > 0:
                heapq.heappush(queue, (-index.pairs[changed], changed))
    return merges


class BPETokenizer(Tokenizer):
    """Tokenizador BPE: el vocabulario son los símbolos sueltos y lo que se ha ido fusionando.

    Con `byte_level` los símbolos son los 256 bytes y nada queda fuera: cualquier texto va y vuelve
    intacto. Sin él, son los caracteres del texto de entrenamiento. `merges` va en el orden en que
    se aprendió, como pares de tokens.
    Fuente: Sennrich, Haddow y Birch (2016); con bytes, Radford et al. (2019).
    """

    def __init__(
        self,
        tokens: Iterable[str],
        merges: Iterable[Sequence[str]],
        byte_level: bool = True,
        special_tokens: Iterable[str] = (),
    ):
        super().__init__(tokens, special_tokens)
        self.byte_level, self.merges = byte_level, [tuple(pair) for pair in merges]
        self._ranks = {}
        for rank, (left, right) in enumerate(self.merges):
            pair = self.token_id(left), self.token_id(right)
            self._ranks[pair] = rank, self.token_id(left + right)

    @classmethod
    def train(
        cls,
        texts: str | Iterable[str],
        n_tokens: int,
        *,
        byte_level: bool = True,
        special_tokens: Iterable[str] = (),
    ) -> "BPETokenizer":
        """Aprende un vocabulario de `n_tokens`; de menos, si ningún par se repite ya.

        Errores: `ValueError` si no hay texto o si en `n_tokens` no cabe el alfabeto.
        """
        counts = count_words(texts)
        if byte_level:
            counts = {to_byte_characters(word): count for word, count in counts.items()}
        alphabet = sorted(byte_characters().values() if byte_level else set("".join(counts)))
        specials = (*SPECIAL_TOKENS, *special_tokens)
        check_size(n_tokens, len(alphabet), len(specials))
        tokens = [*specials, *alphabet]
        ids = {token: number for number, token in enumerate(tokens)}
        index = PairIndex(([ids[symbol] for symbol in word], n) for word, n in counts.items())
        merges = learn_merges(index, tokens, n_tokens)
        named = [(tokens[left], tokens[right]) for left, right in merges]
        return cls(tokens[len(specials) :], named, byte_level, special_tokens)

    def split(self, text: str) -> list[str]:
        """Palabras con el espacio que las precede."""
        return split_words(text)

    def encode_word(self, word: str | Sequence[str]) -> list[int]:
        """Aplica a una palabra las fusiones, en el orden en que se aprendieron."""
        characters = to_byte_characters(word) if self.byte_level else word
        symbols = [self._ids.get(character, self.unknown_id) for character in characters]
        while len(symbols) > 1:
            pairs = set(zip(symbols, symbols[1:], strict=False)) & self._ranks.keys()
            if not pairs:
                break
            first = min(pairs, key=self._ranks.__getitem__)
            symbols = merge_pair(symbols, first, self._ranks[first][1])
        return symbols

    def join(self, tokens: list[str]) -> str:
        """Los tokens seguidos; si son de bytes, los caracteres que forman esos bytes."""
        text = "".join(tokens)
        return from_byte_characters(text) if self.byte_level else text

    def readable(self, number: int) -> str:
        """Un token legible: un byte que por sí solo no es un carácter se escribe «\\xc3»."""
        token = self.tokens[number]
        if not self.byte_level or number < len(self.special_tokens):
            return token
        return from_byte_characters(token, errors="backslashreplace")

    def state(self) -> dict:
        """Los argumentos de su constructor."""
        merges = [list(pair) for pair in self.merges]
        return {**super().state(), "merges": merges, "byte_level": self.byte_level}
