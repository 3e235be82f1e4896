"""De las letras a los sonidos: la pronunciación de una palabra española, por reglas.

Las letras dicen casi siempre cómo suena una palabra: bastan estas reglas, más el acento. No hay
alófonos (la «d» de «dedo» es la misma dos veces) y «ll» suena como «y».
"""

from functools import lru_cache

VOWELS = "aeiouáéíóúü"
STRONG = "aeoáéíóú"  # una i o una u con tilde no hace diptongo
PLAIN = str.maketrans("áéíóúü", "aeiouu")
# Grupos que no se separan al partir en sílabas.
TOGETHER = {a + b for a in "pbfkctdg" for b in "rl"} - {"dl", "tl"} | {"ch", "ll", "rr", "qu", "gu"}
ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyzáéíóúüñ")
SIMPLE = {"h": "", "v": "b", "j": "x", "ñ": "ɲ", "g": "ɡ", "z": "θ", "c": "k", "q": "k",
          "w": "ɡw", "x": "ks"}  # fmt: skip


def syllables(word: str) -> list[str]:
    """Sílabas de una palabra en minúsculas.

    Una consonante entre vocales va con la segunda; de dos o más, con ella va la última o el grupo
    que no se separa. Dos vocales fuertes, o una débil con tilde, son sílabas distintas.
    Errores: `ValueError` si hay algo que no es una letra española minúscula o no hay vocales.
    """
    if not word or not set(word) <= ALPHABET:
        raise ValueError(
            f"{word!r} no es una palabra en minúsculas del alfabeto español: pásala a minúsculas y "
            "quita lo que no sean letras"
        )
    nuclei = _nuclei(word)
    if not nuclei:
        raise ValueError(f"{word!r} no tiene vocales: no se puede pronunciar")
    cuts = [0]
    for (_, end), (start, _) in zip(nuclei, nuclei[1:], strict=False):
        between = word[end:start]
        kept = 0 if not between else 2 if between[-2:] in TOGETHER else 1
        cuts.append(start - kept)
    return [word[a:b] for a, b in zip(cuts, [*cuts[1:], len(word)], strict=True)]


def stressed_syllable(parts: list[str]) -> int:
    """Qué sílaba se acentúa: la de la tilde o, sin ella, la que manda la última letra."""
    for position, part in enumerate(parts):
        if set(part) & set("áéíóú"):
            return position
    if len(parts) == 1:
        return 0
    return len(parts) - (2 if parts[-1][-1] in "aeiouns" else 1)


def pronounce(word: str, *, seseo: bool = False) -> str:
    """Pronunciación en el alfabeto fonético internacional: «cigüeña» → «θiˈɡweɲa».

    «ˈ» va delante de la sílaba acentuada, «r» es la vibrante múltiple y «ɾ» la simple. Con
    `seseo`, como se habla en América, Canarias y parte de Andalucía, no hay «θ».
    """
    parts = syllables(word)
    stressed, sounds = stressed_syllable(parts), []
    place = 0
    for number, part in enumerate(parts):
        sounds.append("ˈ" if number == stressed else "")
        end = place + len(part)
        while place < end:
            sound, used = _sound(word, place)
            sounds.append(sound)
            place += used
    text = "".join(sounds)
    return text.replace("θ", "s") if seseo else text


@lru_cache(maxsize=1_024)
def _nuclei(word: str) -> list[tuple[int, int]]:
    """Dónde empieza y acaba el grupo de vocales de cada sílaba."""
    nuclei: list[tuple[int, int]] = []
    place = 0
    while place < len(word):
        if not _is_vowel(word, place):
            place += 1
            continue
        end = place + 1
        while end < len(word) and _is_vowel(word, end) and not _hiatus(word[place:end], word[end]):
            end += 1
        nuclei.append((place, end))
        place = end
    return nuclei


def _is_vowel(word: str, place: int) -> bool:
    letter = word[place]
    if letter == "u" and word[place - 1 : place] == "q":
        return False
    if (
        letter == "u"
        and word[place - 1 : place] == "g"
        and word[place + 1 : place + 2] in tuple("eiéí")
    ):
        return False
    if letter == "y":  # al final, tras una vocal, es una i
        return place == len(word) - 1
    return letter in VOWELS


def _hiatus(before: str, letter: str) -> bool:
    strong_before = any(vowel in STRONG for vowel in before)
    if before[-1] in "íú" or letter in "íú":
        return strong_before or letter in STRONG
    return strong_before and letter in STRONG


def _sound(word: str, place: int) -> tuple[str, int]:
    """Sonido que empieza en una letra, y cuántas letras ocupa."""
    letter, following = word[place], word[place + 1 : place + 2].translate(PLAIN)
    front = following in tuple("ei")
    pair = letter + following
    if pair == "ch":
        return "tʃ", 2
    if pair == "ll":
        return "ʝ", 2
    if pair == "rr":
        return "r", 2
    if letter == "r":
        return ("r" if place == 0 or word[place - 1] in "nls" else "ɾ"), 1
    if letter == "q" and pair == "qu":
        return "k", 2
    if (
        letter == "g"
        and word[place + 1 : place + 2] == "u"
        and word[place + 2 : place + 3] in tuple("eiéí")
    ):
        return "ɡ", 2
    if letter == "c" and front:
        return "θ", 1
    if letter == "g" and front:
        return "x", 1
    if letter == "x" and place == 0:
        return "s", 1
    if letter == "y":
        return ("i" if _is_vowel(word, place) else "ʝ"), 1
    if letter in VOWELS:
        return _vowel(word, place), 1
    return SIMPLE.get(letter, letter), 1


def _vowel(word: str, place: int) -> str:
    """Una i o una u sin tilde delante de otra vocal de su sílaba se acorta: «tiene» → «tjene»."""
    letter, plain = word[place], word[place].translate(PLAIN)
    if letter in "iuü" and place + 1 < len(word) and _is_vowel(word, place + 1):
        starts = {start for start, _ in _nuclei(word)}
        if place + 1 not in starts:
            return {"i": "j", "u": "w"}[plain]
    return plain


def letters_as_sounds(word: str) -> str:
    """La respuesta de quien no sabe ninguna regla: cada letra suena como se escribe."""
    return word.translate(PLAIN)
