"""Tareas con textos de verdad: describir un artículo, decir su tema y corregir un fragmento."""

import random
import re
from collections.abc import Sequence

from tfcourse.datasets.text.articles import Article

MAX_SOURCE, MAX_DESCRIPTION = 80, 40  # caracteres
WORD = re.compile(r"[^\W\d_]+")
# El nombre de cada tema, en una palabra: es lo que el modelo tiene que escribir.
TOPIC_WORDS = {
    "Personas": "personas",
    "Geografía": "geografía",
    "Historia": "historia",
    "Antropología, sicología y vida cotidiana": "sociedad",
    "Artes": "artes",
    "Tecnología": "tecnología",
    "Filosofía y religión": "religión",
    "Matemáticas": "matemáticas",
}
ACCENTS = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")


def opening(article: Article, max_characters: int = MAX_SOURCE) -> str:
    """El comienzo de un artículo, sin cortar una palabra."""
    text = article.text[: max_characters + 1]
    return text if len(text) <= max_characters else text.rsplit(" ", 1)[0]


def description_pairs(articles: Sequence[Article]) -> list[tuple[str, str]]:
    """Parejas (comienzo, descripción), sin las que son largas o no describen."""
    return [
        (opening(article), article.description)
        for article in articles
        if 0 < len(article.description) <= MAX_DESCRIPTION
        and not article.description.startswith("página de desambiguación")
    ]


def topic_pairs(articles: Sequence[Article]) -> list[tuple[str, str]]:
    """Parejas (comienzo, tema): una clasificación en la que la clase se escribe."""
    return [(opening(article), TOPIC_WORDS[article.topic]) for article in articles]


def description_by_rule(text: str) -> str:
    """Una regla a mano: lo que sigue a «es un», «fue una»…, hasta el primer signo o relativo."""
    found = re.search(r"\b(?:es|fue|son|era) (?:una?|el|la|los|las) ([^,.;(]+)", text)
    return re.split(r" (?:que|cuy[oa]|y) ", found[1])[0].strip() if found else ""


def damage(text: str, rng: random.Random) -> str:
    """Estropea un texto como quien escribe deprisa: sin tildes y con un dedo que se va.

    La errata cambia de sitio dos letras seguidas, repite una o se la come.
    """
    letters = list(text.translate(ACCENTS))
    inner = [
        i for i in range(1, len(letters) - 1) if all(c.isalpha() for c in letters[i - 1 : i + 2])
    ]
    if inner:
        place = rng.choice(inner)
        kind = rng.choice(("cambia", "repite", "come"))
        if kind == "cambia":
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
        else:
            letters[place] = letters[place] * 2 if kind == "repite" else ""
    return "".join(letters)


def correction_pairs(
    articles: Sequence[Article], n_pairs: int, rng: random.Random, n_words: int = 3
) -> list[tuple[str, str]]:
    """Parejas (fragmento estropeado, fragmento): tres palabras seguidas de un artículo.

    Solo palabras en minúsculas y, entre ellas, alguna de más de cuatro letras.
    Errores: `ValueError` si no hay artículos de los que cortar.
    """
    windows = [window for article in articles for window in _windows(article.text, n_words)]
    if not windows or n_pairs < 1:
        raise ValueError(
            f"hay {len(windows)} fragmentos y se piden {n_pairs} parejas: hace falta al menos uno"
        )
    pairs = []
    while len(pairs) < n_pairs:
        text = rng.choice(windows)
        broken = damage(text, rng)
        if broken != text:
            pairs.append((broken, text))
    return pairs


def _windows(text: str, n_words: int) -> list[str]:
    words = text.split()
    starts = range(0, len(words) - n_words + 1, n_words)
    windows = [words[i : i + n_words] for i in starts]
    return [
        " ".join(window)
        for window in windows
        if all(WORD.fullmatch(word) and word.islower() for word in window)
        and max(map(len, window)) > 4
    ]
