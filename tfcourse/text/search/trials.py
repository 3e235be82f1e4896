"""Qué se busca y qué vale: de la descripción de un artículo, a su resumen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Bool
from torch import Tensor

from tfcourse.datasets.text.articles import Article, spanish_articles, split_articles

MIN_WORDS = 3  # «río de Brasil»: con menos, casi todo vale
N_VALIDATION = 300


@dataclass(frozen=True)
class Trial:
    """Unas consultas y, de cada una, qué documentos de la colección valen."""

    queries: tuple[str, ...]
    right: Bool[Tensor, "Q N"]


def collection() -> tuple[str, ...]:
    """Los documentos en los que se busca: todos los resúmenes, en el orden del archivo."""
    return tuple(article.text for article in spanish_articles())


def usable(article: Article) -> bool:
    """Si su descripción sirve de consulta: tres palabras o más, y no es de desambiguación."""
    words = article.description.split()
    return len(words) >= MIN_WORDS and "desambiguación" not in words


@cache
def pair_articles() -> dict[str, tuple[Article, ...]]:
    """Los que se entrenan, los de elegir los mandos y los reservados, con los que se mide."""
    known, reserved = ([a for a in part if usable(a)] for part in split_articles())
    return {
        "entrenar": tuple(known[:-N_VALIDATION]),
        "elegir": tuple(known[-N_VALIDATION:]),
        "medir": tuple(reserved),
    }


def described(articles: Sequence[Article]) -> Trial:
    """Se busca cada descripción; valen todos los artículos que tienen esa misma."""
    names = [article.description.lower() for article in spanish_articles()]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    own = torch.tensor([numbers[name] for name in names])
    wanted = torch.tensor([numbers[article.description.lower()] for article in articles])
    return Trial(tuple(a.description for a in articles), wanted[:, None] == own)


def titled(pairs: Sequence[tuple[str, str]]) -> Trial:
    """Consultas escritas a mano, con el título de lo que se busca.

    Errores: `ValueError` si algún título no está en la colección.
    """
    places = {article.title: number for number, article in enumerate(spanish_articles())}
    if missing := [title for _, title in pairs if title not in places]:
        raise ValueError(f"no hay ningún artículo titulado {missing[0]!r}")
    right = torch.zeros(len(pairs), len(collection()), dtype=torch.bool)
    for row, (_, title) in enumerate(pairs):
        right[row, places[title]] = True
    return Trial(tuple(query for query, _ in pairs), right)
