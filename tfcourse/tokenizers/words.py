"""Tokenizador de palabras: cada palabra es un token, y las que faltan, el mismo desconocido."""

from collections.abc import Iterable

from tfcourse.tokenizers.base import SPECIAL_TOKENS, Tokenizer, check_size
from tfcourse.tokenizers.splitting import count_words, split_words_and_signs


class WordTokenizer(Tokenizer):
    """Tokenizador de palabras: secuencias cortas y un vocabulario que nunca basta."""

    @classmethod
    def train(cls, texts: str | Iterable[str], n_tokens: int, special_tokens=()) -> "WordTokenizer":
        """Se queda con las palabras más frecuentes; a igual frecuencia, por orden alfabético.

        Errores: `ValueError` si en `n_tokens` no cabe ninguna palabra.
        """
        n_special = len(SPECIAL_TOKENS) + len(special_tokens)
        check_size(n_tokens, 1, n_special)
        counts = count_words(texts, split_words_and_signs)
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(ranked[: n_tokens - n_special], special_tokens)

    def split(self, text: str) -> list[str]:
        """Palabras y signos; los espacios se pierden."""
        return split_words_and_signs(text)

    def encode_word(self, word: str) -> list[int]:
        """El número de la palabra, o el de desconocido."""
        return [self._ids.get(word, self.unknown_id)]

    def join(self, tokens: list[str]) -> str:
        """Las palabras separadas por espacios: los del texto original ya no se saben."""
        return " ".join(tokens)
