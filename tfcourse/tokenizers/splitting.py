"""Primer corte de un texto: palabras, números, signos y espacios, antes de aprender nada."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

# Cada letra, cifra, signo o espacio cae en un trozo y solo en uno: al unirlos sale el texto. El
# espacio que precede a una palabra viaja con ella, como en GPT-2 (Radford et al., 2019).
WORDS = r" ?[^\W\d_]+| ?\d+| ?(?:[^\w\s]|_)+|\s+(?!\S)|\s+"
# Como BERT (Devlin et al., 2019): palabras y signos, uno a uno; los espacios se pierden.
WORDS_AND_SIGNS = r"\w+|[^\w\s]"

_WORDS, _WORDS_AND_SIGNS = re.compile(WORDS), re.compile(WORDS_AND_SIGNS)


def split_words(text: str) -> list[str]:
    """Palabras con el espacio que las precede; unidas, devuelven el texto."""
    return _WORDS.findall(text)


def split_words_and_signs(text: str) -> list[str]:
    """Palabras y signos de puntuación, sin los espacios."""
    return _WORDS_AND_SIGNS.findall(text)


def count_words(
    texts: str | Iterable[str], split: Callable[[str], list[str]] = split_words
) -> Counter[str]:
    """Cuántas veces aparece cada palabra en uno o varios textos.

    Errores: `ValueError` si no hay ninguna.
    """
    counts: Counter[str] = Counter()
    for text in [texts] if isinstance(texts, str) else texts:
        counts.update(split(text))
    if not counts:
        raise ValueError("no hay ninguna palabra de la que aprender: el texto está vacío")
    return counts
