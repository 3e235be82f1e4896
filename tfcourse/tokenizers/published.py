"""Tokenizadores publicados: sus archivos, con nuestros algoritmos y los números de sus autores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from jaxtyping import Int
from torch import Tensor

from tfcourse.tokenizers.added_tokens import AddedSplitter, AddedToken
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.unigram import UnigramTokenizer

Cut = Callable[[str], list[str]]


class PublishedTokenizer:
    """Un tokenizador publicado: corta con el nuestro y da los números de sus autores.

    `core` es nuestro tokenizador, con el mismo vocabulario en su orden; `ids`, el número publicado
    de cada token; `prepare`, lo que se hace al texto antes de nada; `cut`, su primer corte;
    `around`, lo que se pone delante y detrás. `added` son los tokens añadidos, que se buscan antes
    de cortar: los de control, `known`, solo se leen como tales si se pide.
    """

    def __init__(
        self,
        core: Tokenizer,
        ids: Mapping[str, int],
        cut: Cut,
        join: Callable[[list[str]], str],
        *,
        prepare: Callable[[str], str] = str,
        unknown: str | None = None,
        around: tuple[Sequence[str], Sequence[str]] = ((), ()),
        added: Iterable[AddedToken] = (),
    ):
        self.core, self.prepare, self.cut, self.join = core, prepare, cut, join
        self.ids = dict(ids)
        self.tokens = {number: token for token, number in self.ids.items()}
        self.unknown = unknown
        self.around = tuple([self.token_id(token) for token in side] for side in around)
        self.added = tuple(added)
        self.known = frozenset(one.content for one in self.added if one.special)
        self._splitters = {asked: self._two_splitters(asked) for asked in (False, True)}
        self._cache: dict[str, list[int]] = {}

    def _two_splitters(self, symbols: bool) -> tuple[AddedSplitter, AddedSplitter]:
        """Qué se busca en el texto tal como llega, y qué cuando ya está preparado."""
        read = [one for one in self.added if symbols or not one.special]
        return (
            AddedSplitter({one.content: one for one in read if not one.normalized}),
            AddedSplitter({self.prepare(one.content): one for one in read if one.normalized}),
        )

    def __len__(self) -> int:
        return max(self.ids.values()) + 1

    def token_id(self, token: str) -> int:
        """El número de un token. Errores: `ValueError` si no está en el vocabulario."""
        if token not in self.ids:
            raise ValueError(f"el token {token!r} no está entre los {len(self.ids)} publicados")
        return self.ids[token]

    def encode(self, text: str, *, special: bool = True, symbols: bool = False) -> list[int]:
        """Los números de un texto; con `special`, con lo que la familia pone delante y detrás.

        Con `symbols`, los símbolos de control escritos en el texto valen como tales; los demás
        tokens añadidos, como las rachas de espacios de ModernBERT, se leen siempre.
        """
        before, after = self.around if special else ([], [])
        return [*before, *self._inside(text, symbols), *after]

    def _inside(self, text: str, symbols: bool) -> Iterator[int]:
        as_it_comes, prepared = self._splitters[symbols]
        for piece, token in as_it_comes(text):
            if token:
                yield token.number
                continue
            for part, one in prepared(self.prepare(piece)):
                words = [] if one else self.cut(part)
                yield from [one.number] if one else (n for w in words for n in self._word(w))

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
