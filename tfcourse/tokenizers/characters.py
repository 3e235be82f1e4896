"""Tokenizador de caracteres: cada carácter es un token."""

from collections.abc import Iterable

from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.splitting import count_words


class CharacterTokenizer(Tokenizer):
    """Tokenizador de caracteres: vocabulario mínimo y secuencias muy largas."""

    @classmethod
    def train(cls, texts: str | Iterable[str], special_tokens=()) -> "CharacterTokenizer":
        """Aprende el alfabeto: los caracteres que aparecen, en el orden de Unicode."""
        return cls(sorted(set("".join(count_words(texts)))), special_tokens)

    def split(self, text: str) -> list[str]:
        """Cada carácter por su lado."""
        return list(text)

    def encode_word(self, word: str) -> list[int]:
        """El número del carácter, o el de desconocido."""
        return [self._ids.get(word, self.unknown_id)]

    def join(self, tokens: list[str]) -> str:
        """Los caracteres seguidos."""
        return "".join(tokens)
