"""Palabras sueltas de los artículos, para pronunciarlas y ponerlas en plural."""

import random
import re
from collections import Counter
from collections.abc import Sequence

from tfcourse.datasets.tasks.phonology import ALPHABET, VOWELS, pronounce
from tfcourse.datasets.tasks.plurals import attested_plurals
from tfcourse.datasets.text.articles import Article, join_texts

WORD = re.compile(r"[^\W\d_]+")
AFTER_ARTICLE = re.compile(r"\b(?:[Uu]na?|[Ee]l|[Ll]a) ([a-záéíóúüñ]+)\b")


def word_counts(articles: Sequence[Article]) -> Counter[str]:
    """Cuántas veces sale cada palabra escrita en minúsculas."""
    return Counter(word for word in WORD.findall(join_texts(list(articles))) if word.islower())


def pronunciation_pairs(counts: Counter[str], min_count: int = 2) -> list[tuple[str, str]]:
    """Parejas (palabra, pronunciación) de las palabras que salen al menos `min_count` veces."""
    words = sorted(word for word, count in counts.items() if count >= min_count and len(word) > 2)
    return [(word, pronounce(word)) for word in words if is_spanish(word)]


def plural_pairs(
    articles: Sequence[Article], counts: Counter[str], rng: random.Random
) -> list[tuple[str, str]]:
    """Parejas (singular, plural) cuyas dos formas se usan; la mitad no se hace añadiendo una s."""
    nouns = set(AFTER_ARTICLE.findall(join_texts(list(articles))))
    pairs = attested_plurals(counts, {word for word in nouns if is_spanish(word)})
    easy = [pair for pair in pairs if pair[1] == pair[0] + "s"]
    hard = [pair for pair in pairs if pair[1] != pair[0] + "s"]
    return hard + rng.sample(easy, min(len(easy), len(hard)))


def is_spanish(word: str) -> bool:
    """Se puede leer en español: letras conocidas, alguna vocal, y ni k ni w."""
    letters = set(word)
    return letters <= ALPHABET and bool(letters & set(VOWELS)) and not letters & set("kw")
