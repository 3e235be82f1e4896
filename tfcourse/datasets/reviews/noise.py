"""Cómo se escribe deprisa: faltas, letras repetidas, abreviaturas y marcas de red social."""

import random
import re

from tfcourse.datasets.reviews.vocabulary import EMOJIS

SHORT = {"que": "q", "por": "x", "también": "tb", "muy": "mui", "hay": "ai", "había": "avia"}
TAGS = ("#opinion", "#finde", "#compras", "#viajes", "#cine", "#2024")
_WITHOUT_ACCENTS = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
_LONG_WORD = re.compile(r"\b[^\W\d_]{5,}\b")


def add_noise(text: str, polarity: int, rng: random.Random) -> str:
    """La misma reseña, escrita con descuido: de una a tres alteraciones, sorteadas."""
    chosen = rng.sample(_ALTERATIONS, rng.randint(1, 3))
    # En el orden de la lista: las faltas van antes que los enlaces, para no estropearlos.
    for alter in sorted(chosen, key=_ALTERATIONS.index):
        text = alter(text, polarity, rng)
    return text


def _drop_accents(text: str, polarity: int, rng: random.Random) -> str:
    return text.translate(_WITHOUT_ACCENTS)


def _lower(text: str, polarity: int, rng: random.Random) -> str:
    return text.lower()


def _shout(text: str, polarity: int, rng: random.Random) -> str:
    """Una palabra en mayúsculas."""
    return _change_word(text, rng, str.upper)


def _stretch(text: str, polarity: int, rng: random.Random) -> str:
    """La última vocal de una palabra, repetida: «buenoooo»."""
    times = rng.randint(3, 5)
    return _change_word(
        text, rng, lambda word: re.sub(r"([aeo])(\w?)$", r"\1" * times + r"\2", word)
    )


def _swap_letters(text: str, polarity: int, rng: random.Random) -> str:
    """Dos letras del medio de una palabra, cambiadas de orden."""
    return _change_word(text, rng, lambda word: word[:2] + word[3] + word[2] + word[4:])


def _change_word(text: str, rng: random.Random, change) -> str:
    words = list(_LONG_WORD.finditer(text))
    if not words:
        return text
    found = rng.choice(words)
    return text[: found.start()] + change(found[0]) + text[found.end() :]


def _shorten(text: str, polarity: int, rng: random.Random) -> str:
    return re.sub(r"\w+", lambda found: SHORT.get(found[0].lower(), found[0]), text)


def _add_tag(text: str, polarity: int, rng: random.Random) -> str:
    return f"{text} {rng.choice(TAGS)}"


def _add_mention(text: str, polarity: int, rng: random.Random) -> str:
    return f"@usuario{rng.randint(1, 99)} {text}"


def _add_link(text: str, polarity: int, rng: random.Random) -> str:
    return f"{text} https://ejemplo.es/{rng.randint(100, 999)}"


def _add_emoji(text: str, polarity: int, rng: random.Random) -> str:
    """Un emoji: la mitad de las veces va con lo que se opina; la otra mitad, cualquiera."""
    kind = polarity if rng.random() < 0.5 else rng.choice((-1, 0, 1))
    return f"{text} {rng.choice(EMOJIS[kind])}"


_ALTERATIONS = (
    _drop_accents, _lower, _shout, _stretch, _swap_letters, _shorten, _add_tag, _add_mention,
    _add_link, _add_emoji,
)  # fmt: skip
