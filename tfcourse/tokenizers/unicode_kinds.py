"""Clases de Unicode: qué es cada carácter, para cortar un texto como lo cortan los publicados."""

import re
import unicodedata
from functools import cache

# Una letra por clase: así las expresiones de los publicados se escriben con el `re` de siempre.
LETTER, NUMBER, SPACE, OTHER = "L", "N", "S", "O"
SPACES = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + ("\u2028\u2029\u202f\u205f\u3000")
)
_NOT_SPACES = "\x1c\x1d\x1e\x1f"  # Python los cuenta como espacios, y Unicode, no

_CONTRACTION = re.compile(r"'(?:s|t|re|ve|m|ll|d)")
# Con una clase por carácter: « ?letras», « ?cifras», « ?lo demás» y espacios. «B» es « » corriente.
_GPT2 = re.compile(r"B?L+|B?N+|B?O+|[SB]+(?![LNO])|[SB]+")
# Lo mismo con los saltos de línea aparte, que son «R»; cada número va solo.
_ANY_CASE = re.compile(r"'(?:s|t|re|ve|m|ll|d)", re.IGNORECASE)
_QWEN = re.compile(r"[BSO]?L+|N|B?O+R*|[BSR]*R|[BSR]+(?![LNO])|[BSR]+")
_CLIP = re.compile(r"L+|N|O+|S+")
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


@cache
def character_kind(character: str) -> str:
    """La clase de un carácter: letra, número, espacio u otra cosa."""
    if character.isspace() and character not in _NOT_SPACES:
        return SPACE
    first = unicodedata.category(character)[0]
    return first if first in (LETTER, NUMBER) else OTHER


def split_like_gpt2(text: str) -> list[str]:
    """Primer corte de GPT-2: contracciones del inglés, palabras, números, signos y espacios.

    El espacio de delante viaja con la palabra. Fuente: el código de Radford et al. (2019).
    """
    kinds = "".join("B" if one == " " else character_kind(one) for one in text)
    return _pieces(text, kinds, _CONTRACTION, _GPT2)


def split_like_qwen(text: str) -> list[str]:
    """Primer corte de Qwen: como el de GPT-2, con cada cifra sola y los saltos de línea aparte.

    El signo de delante también viaja con la palabra. Fuente: `tokenizer.json` de Qwen2 y Qwen3.
    """
    apart = {" ": "B", "\r": "R", "\n": "R"}
    kinds = "".join(apart.get(one) or character_kind(one) for one in text)
    return _pieces(text, kinds, _ANY_CASE, _QWEN)


def split_like_clip(text: str) -> list[str]:
    """Primer corte de CLIP: como el de GPT-2, con cada cifra sola y sin los espacios.

    Fuente: el código de Radford et al. (2021).
    """
    kinds = "".join(map(character_kind, text))
    pieces = _pieces(text, kinds, _CONTRACTION, _CLIP)
    return [piece for piece in pieces if character_kind(piece[0]) != SPACE]


def _pieces(text: str, kinds: str, contraction: re.Pattern, whole: re.Pattern) -> list[str]:
    """Los trozos de un texto: contracciones, que miran sus letras, y lo demás, por clases."""
    pieces, start = [], 0
    while start < len(text):
        found = contraction.match(text, start) or whole.match(kinds, start)
        pieces.append(text[start : found.end()])
        start = found.end()
    return pieces


def split_digits(text: str) -> list[str]:
    """Cada número de Unicode, solo; lo demás, junto."""
    kinds = "".join(NUMBER if character_kind(one) == NUMBER else OTHER for one in text)
    return [text[found.start() : found.end()] for found in re.finditer(r"N|O+", kinds)]


@cache
def is_punctuation(character: str) -> bool:
    """Si BERT lo separa: los signos de Unicode y todo lo de ASCII que no es letra ni cifra."""
    ascii_sign = character.isascii() and character.isprintable() and not character.isalnum()
    return (ascii_sign and character != " ") or unicodedata.category(character)[0] == "P"


@cache
def is_chinese(character: str) -> bool:
    """Si es un ideograma, que BERT rodea de espacios."""
    return any(low <= ord(character) <= high for low, high in _CHINESE)


@cache
def _cleaned(character: str) -> str:
    """Un carácter para BERT: los de control se van y los espacios son todos el mismo."""
    if character in "\t\n\r":
        return " "
    gone = unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs")
    if gone or character == "\N{REPLACEMENT CHARACTER}":
        return ""
    if character_kind(character) == SPACE:
        return " "
    return f" {character} " if is_chinese(character) else character


def clean_for_bert(text: str, *, lower: bool, strip_accents: bool) -> str:
    """Lo que BERT hace al texto antes de cortarlo. Fuente: el código de Devlin et al. (2019)."""
    text = "".join(map(_cleaned, text))
    if strip_accents:
        pieces = unicodedata.normalize("NFD", text)
        text = "".join(one for one in pieces if unicodedata.category(one) != "Mn")
    # Letra a letra: la sigma final del griego es, también, una sigma.
    return "".join(one.lower() for one in text) if lower else text


def split_spaces(text: str) -> list[str]:
    """Lo que hay entre espacios, según Unicode."""
    same = "".join(" " if character_kind(one) == SPACE else one for one in text)
    return [word for word in same.split(" ") if word]


def split_like_bert(text: str) -> list[str]:
    """Palabras separadas por espacios, y cada signo aparte."""
    pieces: list[str] = []
    for word in split_spaces(text):
        start = 0
        for place, character in enumerate(word):
            if is_punctuation(character):
                pieces += [word[start:place]] * (place > start) + [character]
                start = place + 1
        pieces += [word[start:]] * (start < len(word))
    return pieces
