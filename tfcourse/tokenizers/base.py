"""Tokenizador: lo que comparten todas las maneras de pasar de texto a números."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from jaxtyping import Int
from torch import Tensor

from tfcourse.tokenizers.vocabulary import PAD, START, STOP

UNKNOWN = "<desconocido>"
SPECIAL_TOKENS = (PAD, START, STOP, UNKNOWN)
UNREADABLE = "\N{REPLACEMENT CHARACTER}"  # lo que se escribe en lugar de lo desconocido
MAX_CACHED_WORDS = 200_000


class Tokenizer(ABC):
    """Tokenizador: convierte un texto en números y los números en un texto.

    Los tokens especiales ocupan siempre los primeros números: 0, relleno; 1, inicio; 2, fin; 3,
    desconocido; después, los que añada `special_tokens`. Un especial escrito dentro de un texto es
    texto corriente: solo se pone por su número.
    Errores: `ValueError` si hay tokens repetidos.
    """

    pad_id, start_id, stop_id, unknown_id = range(len(SPECIAL_TOKENS))

    def __init__(self, tokens: Iterable[str], special_tokens: Iterable[str] = ()):
        self.special_tokens = (*SPECIAL_TOKENS, *special_tokens)
        self.tokens = [*self.special_tokens, *tokens]
        self._ids = {token: number for number, token in enumerate(self.tokens)}
        self._cache: dict[str, list[int]] = {}
        if len(self._ids) < len(self.tokens):
            repeated = next(t for i, t in enumerate(self.tokens) if self._ids[t] != i)
            raise ValueError(
                f"el token {repeated!r} está repetido: cada token tiene un solo número, también "
                "los especiales"
            )

    @abstractmethod
    def split(self, text: str) -> list[str]:
        """Trozos del texto que se tokenizan por separado."""

    @abstractmethod
    def encode_word(self, word: str) -> list[int]:
        """Números de uno de esos trozos."""

    @abstractmethod
    def join(self, tokens: list[str]) -> str:
        """Texto que forman unos tokens."""

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} tokens)"

    def token_id(self, token: str) -> int:
        """Número de un token.

        Errores: `ValueError` si no está en el vocabulario.
        """
        if token not in self._ids:
            raise ValueError(
                f"el token {token!r} no está en el vocabulario de {len(self)} tokens: para "
                "tokenizar un texto, usa `encode`"
            )
        return self._ids[token]

    def encode(self, text: str, *, start: bool = False, stop: bool = False) -> list[int]:
        """Números de los tokens de un texto; con `start` y `stop`, entre el inicio y el fin.

        Cada palabra se trocea una sola vez: el resultado se guarda.
        """
        ids = [self.start_id] if start else []
        for word in self.split(text):
            known = self._cache.get(word)
            if known is None:
                if len(self._cache) >= MAX_CACHED_WORDS:
                    self._cache.clear()
                known = self._cache[word] = self.encode_word(word)
            ids.extend(known)
        return [*ids, self.stop_id] if stop else ids

    def tokenize(self, text: str) -> list[str]:
        """Los trozos en que se corta un texto, legibles."""
        return [self.readable(number) for number in self.encode(text)]

    def readable(self, number: int) -> str:
        """Un token tal como se le enseña a una persona."""
        return self.tokens[number]

    def decode(self, ids: Iterable[int] | Int[Tensor, "L"]) -> str:
        """Texto de unos números: para en el fin, salta los demás especiales.

        Errores: `ValueError` si un número no está en el vocabulario.
        """
        tokens = []
        for position, number in enumerate(map(int, ids)):
            if not 0 <= number < len(self.tokens):
                raise ValueError(
                    f"el número {number}, en la posición {position}, no está en el vocabulario: "
                    f"hay {len(self)} tokens, del 0 al {len(self) - 1}"
                )
            if number == self.stop_id:
                break
            if number == self.unknown_id:
                tokens.append(UNREADABLE)
            elif number >= len(self.special_tokens):
                tokens.append(self.tokens[number])
        return self.join(tokens)

    def state(self) -> dict:
        """Lo que hace falta para volver a construirlo: los argumentos de su constructor."""
        extra = self.special_tokens[len(SPECIAL_TOKENS) :]
        return {
            "tokens": self.tokens[len(self.special_tokens) :],
            "special_tokens": list(extra),
        }

    def save(self, path: str | Path) -> None:
        """Guarda el tokenizador en un archivo JSON."""
        content = {"kind": type(self).__name__, **self.state()}
        Path(path).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "Tokenizer":
        """Recupera un tokenizador guardado con `save`.

        Errores: `ValueError` si el archivo es de otra clase de tokenizador.
        """
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        kind = content.pop("kind", None)
        if kind != cls.__name__:
            raise ValueError(
                f"«{Path(path).name}» guarda un {kind} y se pedía un {cls.__name__}: cárgalo con "
                f"`{kind}.load`"
            )
        return cls(**content)


def check_size(n_tokens: int, alphabet_size: int, n_special: int) -> None:
    """Comprueba que en el vocabulario cabe, al menos, el alfabeto.

    Errores: `ValueError` si no cabe.
    """
    needed = alphabet_size + n_special
    if n_tokens < needed:
        raise ValueError(
            f"n_tokens={n_tokens} es menor que el alfabeto: {n_special} especiales y "
            f"{alphabet_size} símbolos ya son {needed}; usa n_tokens={needed} o más"
        )
