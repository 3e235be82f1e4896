"""Huecos: frases reales a las que se les ha quitado una palabra, con lo que hay a cada lado."""

import random
import re
from dataclasses import dataclass

# Las más frecuentes, para que haya miles de huecos de cada una.
FREQUENT = "de la el en y que los del las un una por con se a es su fue al como"
COMMON_WORDS = tuple(FREQUENT.split())


@dataclass(frozen=True)
class Gap:
    """Una palabra que falta, lo que se lee antes (`left`) y lo que se lee después (`right`)."""

    left: str
    right: str
    word: str


def word_gaps(
    text: str,
    n_gaps: int,
    *,
    left: int,
    right: int,
    words: tuple[str, ...] = COMMON_WORDS,
    seed: int = 0,
) -> list[Gap]:
    """Huecos al azar de un texto, dejando `left` caracteres antes y `right` después.

    El hueco tapa una de las palabras de `words`, entera y en minúscula; sus dos lados están en
    la misma línea, es decir, en el mismo artículo.
    Errores: `ValueError` si el texto no da para tantos.
    """
    options = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    found = [
        match
        for match in re.finditer(rf"(?<= )(?:{options})(?=[ ,.;:])", text)
        if _fits(text, match, left, right)
    ]
    if len(found) < n_gaps:
        raise ValueError(
            f"el texto da para {len(found)} huecos y se piden {n_gaps}: pide menos, acorta los "
            "lados o usa un texto más largo"
        )
    return [
        Gap(
            text[match.start() - left : match.start()],
            text[match.end() : match.end() + right],
            match.group(),
        )
        for match in random.Random(seed).sample(found, n_gaps)
    ]


def _fits(text: str, match: re.Match, left: int, right: int) -> bool:
    start, end = match.start() - left, match.end() + right
    return start >= 0 and end <= len(text) and "\n" not in text[start:end]
