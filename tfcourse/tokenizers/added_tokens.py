"""Los tokens añadidos a un vocabulario: se buscan en el texto antes de cortarlo."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tfcourse.tokenizers.unicode_kinds import SPACE, character_kind


@dataclass(frozen=True)
class AddedToken:
    """Un token añadido: cómo se escribe, su número y cómo se busca.

    `special`: es un símbolo de control, que solo se lee como tal si se pide y no se escribe.
    `normalized`: se busca en el texto ya preparado. `left` y `right`: se lleva los espacios que
    tenga a ese lado. Fuente: `added_tokens` de un `tokenizer.json`.
    """

    content: str
    number: int
    special: bool = True
    normalized: bool = False
    left: bool = False
    right: bool = False


def control_symbols(symbols: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Unos símbolos de control, dados con su número."""
    return tuple(AddedToken(content, number) for content, number in symbols.items())


def read_added(entries: Iterable[Mapping[str, Any]]) -> tuple[AddedToken, ...]:
    """Los `added_tokens` de un archivo. Errores: `ValueError` si alguno pide una palabra entera."""
    entries = list(entries)
    if whole := [one["content"] for one in entries if one.get("single_word")]:
        raise ValueError(f"no se sabe buscar {whole[0]!r} solo cuando es una palabra entera")
    return tuple(
        AddedToken(
            one["content"], one["id"], one.get("special", False), one.get("normalized", False),
            one.get("lstrip", False), one.get("rstrip", False),
        )
        for one in entries
    )  # fmt: skip


class AddedSplitter:
    """Busca unos tokens en un texto: gana el primero y, si empatan, el más largo."""

    def __init__(self, written: Mapping[str, AddedToken]):
        self.written = dict(written)
        self.pattern = re.compile("|".join(map(re.escape, sorted(self.written, key=len)[::-1])))

    def __call__(self, text: str) -> Iterator[tuple[str, AddedToken | None]]:
        """Los trozos de un texto, cada uno con su token, o con `None` si no es de ninguno."""
        last = 0
        for found in self.pattern.finditer(text) if self.written else ():
            token = self.written[found.group()]
            before = text[last : found.start()]
            before = before[: len(before) - _spaces(before[::-1])] if token.left else before
            if before:
                yield before, None
            last = found.end() + (_spaces(text[found.end() :]) if token.right else 0)
            yield found.group(), token
        if last < len(text):
            yield text[last:], None


def _spaces(text: str) -> int:
    """Cuántos espacios hay al principio."""
    others = (n for n, one in enumerate(text) if character_kind(one) != SPACE)
    return next(others, len(text))
