"""Del singular al plural, por reglas y con la lista de las que no las siguen."""

from tfcourse.datasets.tasks.phonology import ALPHABET, PLAIN, stressed_syllable, syllables

ACCENTED = {"a": "á", "e": "é", "i": "í", "o": "ó", "u": "ú"}
# Las que no siguen la regla: el acento cambia de sílaba, o la palabra llegó de otra lengua.
EXCEPTIONS = {
    "carácter": "caracteres",
    "régimen": "regímenes",
    "espécimen": "especímenes",
    "gran": "grandes",
    "cualquier": "cualesquier",
    "cualquiera": "cualesquiera",
    "club": "clubes",
    "álbum": "álbumes",
    "líder": "líderes",
    "récord": "récords",
    "chalet": "chalets",
    "robot": "robots",
    "currículum": "currículums",
    "jersey": "jerséis",
}


def pluralize(word: str) -> str:
    """Plural de un sustantivo o un adjetivo en minúsculas: «lápiz» → «lápices».

    Vocal: -s (y -es tras í o ú). Consonante: -es, con z → c; las llanas y esdrújulas que ya acaban
    en -s o -x no cambian. Las tildes se ponen y se quitan para que el acento no se mueva.
    Errores: `ValueError` si no es una palabra en minúsculas.
    """
    if word in EXCEPTIONS:
        return EXCEPTIONS[word]
    parts = syllables(word)
    stressed, last = stressed_syllable(parts), word[-1]
    if last in "aeoáéó" or last in "iu":
        return word + "s"
    if last in "íú":
        return word + "es"
    if last in "sx" and stressed < len(parts) - 1:
        return word
    stem = word[:-1] + "c" if last == "z" else word
    return _keep_stress(stem, stressed) + "es"


def _keep_stress(stem: str, stressed: int) -> str:
    """Quita o pone la tilde para que, con una sílaba más, se acentúe la misma."""
    parts = syllables(stem)
    plain = [part if set(part) & set("íú") and _breaks(part, i, parts) else part.translate(_UNMARK)
             for i, part in enumerate(parts)]  # fmt: skip
    # Con -es, la palabra acaba en s: sin tilde se acentúa la que era última.
    if stressed == len(parts) - 1 or any(set(part) & set("íú") for part in plain):
        return "".join(plain)
    plain[stressed] = _mark(plain[stressed])
    return "".join(plain)


_UNMARK = str.maketrans("áéíóú", "aeiou")


def _breaks(part: str, position: int, parts: list[str]) -> bool:
    """La tilde de «raíz» separa dos vocales: se queda en «raíces»."""
    before = parts[position - 1][-1:] if position else ""
    after = parts[position + 1][:1] if position + 1 < len(parts) else ""
    starts = part[0] in "íú" and before in tuple("aeo")
    return starts or (part[-1] in "íú" and after in tuple("aeo"))


def _mark(part: str) -> str:
    """Pone la tilde en la vocal más abierta de una sílaba."""
    for vowels in ("aeo", "iu"):
        for place in range(len(part) - 1, -1, -1):
            if part[place] in vowels:
                return part[:place] + ACCENTED[part[place]] + part[place + 1 :]
    return part


def attested_plurals(counts: dict[str, int], after_article: set[str]) -> list[tuple[str, str]]:
    """Parejas (singular, plural) cuyas dos formas se usan de verdad en un texto.

    `counts` dice cuántas veces sale cada palabra y `after_article`, cuáles van detrás de «un» o
    «una». Así la regla solo se enseña donde el texto le da la razón.
    """
    pairs = []
    for word in sorted(after_article):
        if (
            len(word) < 3
            or not set(word) <= ALPHABET
            or not set(word.translate(PLAIN)) & set("aeiou")
        ):
            continue
        plural = pluralize(word)
        if plural != word and counts.get(plural, 0) > 0:
            pairs.append((word, plural))
    return pairs
