"""Limpieza de textos de redes sociales: cada regla, una función, y su orden importa."""

import re
import unicodedata
from collections.abc import Callable, Iterable

import emoji

LINK, MENTION, NUMBER, HASHTAG = "enlace", "usuario", "numero", "etiqueta"

_LINK = re.compile(r"(?:https?://|www\.)\S*[^\s.,;:!?)»\"']")
_MENTION = re.compile(r"(?<!\w)@\w+")
_HASHTAG = re.compile(r"(?<!\w)#(\w+)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_SPACES = re.compile(r"\s+")


def replace_links(text: str) -> str:
    """Cada dirección de internet → «enlace»; el punto que cierra la frase se queda."""
    return _LINK.sub(LINK, text)


def replace_mentions(text: str) -> str:
    """@alguien → «usuario»; una dirección de correo no es una mención."""
    return _MENTION.sub(MENTION, text)


def replace_hashtags(text: str) -> str:
    """#palabra → «etiqueta palabra»: se dice que lo era y no se pierde qué ponía."""
    return _HASHTAG.sub(rf"{HASHTAG} \1", text)


def replace_emojis(text: str) -> str:
    """Cada emoji → su nombre en español, unido con guiones bajos: una sola palabra."""
    named = emoji.demojize(text, language="es", delimiters=(" ", " "))
    # Los selectores de variante y los pegamentos entre emojis no dicen nada por sí solos.
    return _SPACES.sub(" ", re.sub("[\ufe0f\u200d]", "", named)).strip() if named != text else text


def replace_numbers(text: str) -> str:
    """Cada número, con decimales o sin ellos → «numero»."""
    return _NUMBER.sub(NUMBER, text)


def lower(text: str) -> str:
    """Todo en minúsculas."""
    return text.lower()


def strip_accents(text: str) -> str:
    """Sin tildes ni diéresis; la eñe se queda, que es otra letra."""
    letters = unicodedata.normalize("NFC", text)
    return "".join(letter if letter in "ñÑ" else bare_letter(letter) for letter in letters)


def bare_letter(letter: str) -> str:
    """Una letra sin lo que lleve encima."""
    pieces = unicodedata.normalize("NFD", letter)
    kept = "".join(piece for piece in pieces if not unicodedata.combining(piece))
    return unicodedata.normalize("NFC", kept)


def squeeze_letters(text: str) -> str:
    """Tres letras iguales o más → una: «buenoooo» → «bueno»; «perro» y «leer» no se tocan."""
    return STRETCHED.sub(r"\1", text)


# Los enlaces, antes que nadie: llevan dentro números, arrobas y almohadillas.
STEPS: dict[str, Callable[[str], str]] = {
    "enlaces": replace_links,
    "arrobas": replace_mentions,
    "etiquetas": replace_hashtags,
    "emojis": replace_emojis,
    "números": replace_numbers,
    "minúsculas": lower,
    "tildes": strip_accents,
    "repetidas": squeeze_letters,
}


def clean_text(text: str, skip: Iterable[str] = ()) -> str:
    """Aplica todas las reglas de `STEPS`, en su orden, salvo las de `skip`.

    Errores: `ValueError` si `skip` nombra una regla que no existe.
    """
    skip = set(skip)
    if unknown := skip - set(STEPS):
        raise ValueError(
            f"no existe la regla {', '.join(map(repr, sorted(unknown)))}: las que hay son "
            f"{', '.join(STEPS)}"
        )
    for name, step in STEPS.items():
        if name not in skip:
            text = step(text)
    return _SPACES.sub(" ", text).strip()
