"""Tokenizadores publicados: sus archivos, con nuestros algoritmos y los números de sus autores."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from jaxtyping import Int
from torch import Tensor

from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.unigram import UnigramTokenizer

Cut = Callable[[str], list[str]]


class PublishedTokenizer:
    """Un tokenizador publicado: corta con el nuestro y da los números de sus autores.

    `core` es nuestro tokenizador, con el mismo vocabulario en su orden; `ids`, el número publicado
    de cada token; `cut`, el primer corte del texto; `around`, lo que se pone delante y detrás.
    `known` son los símbolos de control, que solo se leen como tales si se pide.
    """

    def __init__(
        self,
        core: Tokenizer,
        ids: Mapping[str, int],
        cut: Cut,
        join: Callable[[list[str]], str],
        *,
        unknown: str | None = None,
        around: tuple[Sequence[str], Sequence[str]] = ((), ()),
        known: Iterable[str] = (),
    ):
        self.core, self.cut, self.join, self.known = core, cut, join, frozenset(known)
        self.ids = dict(ids)
        self.tokens = {number: token for token, number in self.ids.items()}
        self.unknown = unknown
        self.around = tuple([self.token_id(token) for token in side] for side in around)
        self._pattern = re.compile("|".join(map(re.escape, sorted(self.known, key=len)[::-1])))
        self._cache: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return max(self.ids.values()) + 1

    def token_id(self, token: str) -> int:
        """El número de un token. Errores: `ValueError` si no está en el vocabulario."""
        if token not in self.ids:
            raise ValueError(f"el token {token!r} no está entre los {len(self.ids)} publicados")
        return self.ids[token]

    def encode(self, text: str, *, special: bool = True, symbols: bool = False) -> list[int]:
        """Los números de un texto; con `special`, con lo que la familia pone delante y detrás.

        Con `symbols`, los símbolos de control escritos en el texto valen como tales.
        """
        before, after = self.around if special else ([], [])
        return [*before, *self._inside(text, symbols), *after]

    def _inside(self, text: str, symbols: bool) -> list[int]:
        if not symbols or not self.known:
            return [number for word in self.cut(text) for number in self._word(word)]
        ids, start = [], 0
        for found in self._pattern.finditer(text):
            ids += self._inside(text[start : found.start()], False) if found.start() > start else []
            ids.append(self.ids[found.group()])
            start = found.end()
        return ids + (self._inside(text[start:], False) if start < len(text) else [])

    def _word(self, word: str) -> list[int]:
        if word not in self._cache:
            numbers = self.core.encode_word(word)
            self._cache[word] = merged_unknown([self._published(one) for one in numbers], self)
        return self._cache[word]

    def _published(self, number: int) -> int:
        if number != self.core.unknown_id:
            return self.ids[self.core.tokens[number]]
        if self.unknown is None:
            raise ValueError("hay un carácter que este vocabulario no puede escribir")
        return self.ids[self.unknown]

    def decode(self, ids: Iterable[int] | Int[Tensor, "L"]) -> str:
        """El texto de unos números, sin los símbolos de control.

        Errores: `ValueError` si un número no es de ningún token.
        """
        numbers = [int(number) for number in ids]
        unknown = [number for number in numbers if number not in self.tokens]
        if unknown:
            raise ValueError(f"el número {unknown[0]} no es de ninguno de sus tokens")
        return self.join([t for t in map(self.tokens.get, numbers) if t not in self.known])


def merged_unknown(ids: list[int], tokenizer: PublishedTokenizer) -> list[int]:
    """Unigram escribe un solo desconocido por cada racha de caracteres desconocidos."""
    if not isinstance(tokenizer.core, UnigramTokenizer) or tokenizer.unknown is None:
        return ids
    unknown = tokenizer.ids[tokenizer.unknown]
    pairs = zip([None, *ids], ids, strict=False)
    return [one for before, one in pairs if not (before == one == unknown)]
