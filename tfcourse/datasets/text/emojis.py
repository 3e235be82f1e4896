"""Nombres de los emojis en inglés y en español: parejas reales que caben en un paquete."""

import random
import re
from typing import NamedTuple

SKIN_TONE = re.compile(r"\b(?:light|medium|dark) skin tone\b")


class EmojiName(NamedTuple):
    """Un emoji y su nombre en las dos lenguas, como lo escribieron los traductores de Unicode."""

    symbol: str
    english: str
    spanish: str


def emoji_names() -> list[EmojiName]:
    """Los nombres de los emojis, uno por dibujo y en el orden de su nombre inglés.

    Se dejan fuera los que repiten un dibujo con otro tono de piel y las banderas de países, cuyo
    nombre inglés no dice que son banderas.
    Fuente: repertorio CLDR de Unicode, con el paquete `emoji`.
    """
    import emoji

    emoji.config.load_language("es")
    found = {}
    for symbol, data in emoji.EMOJI_DATA.items():
        if data["status"] != emoji.STATUS["fully_qualified"] or "es" not in data:
            continue
        english, spanish = (data[key].strip(":").replace("_", " ") for key in ("en", "es"))
        is_country = spanish.startswith("bandera ") and "flag" not in english
        if not is_country and not SKIN_TONE.search(english):
            found[english] = EmojiName(symbol, english, spanish)
    return [found[english] for english in sorted(found)]


def emoji_split(n_test: int, seed: int = 0) -> tuple[list[EmojiName], list[EmojiName]]:
    """Nombres para aprender y para evaluar: los `n_test` de evaluación no se ven al entrenar.

    Errores: `ValueError` si no queda ninguno para alguno de los dos.
    """
    names = emoji_names()
    if not 0 < n_test < len(names):
        raise ValueError(
            f"n_test={n_test}: hay {len(names)} nombres, y tiene que quedar alguno a cada lado"
        )
    random.Random(seed).shuffle(names)
    return names[n_test:], names[:n_test]
