"""Documentos con una oración intrusa, hechos con comienzos de artículos de Wikipedia en español."""

import random
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tfcourse.datasets.text.articles import Article

COMMON_TOPIC = "Personas"
TOPICS = ("Artes", "Geografía", "Historia", "Matemáticas", "Tecnología")
MAX_WORDS, MIN_WORDS, MAX_TRIGRAMS, N_TRIGRAMS = 16, 8, 8, 1500
PAD_ID, UNKNOWN_ID = 0, 1


@dataclass(frozen=True)
class IntruderDocument:
    """Oraciones de biografías y, entre ellas, una de otro tema: la intrusa.

    `topic` es el tema de la intrusa, como índice de `TOPICS`, y `place`, su lugar.
    """

    sentences: tuple[tuple[str, ...], ...]
    topic: int
    place: int


def opening_words(article: Article) -> tuple[str, ...]:
    """Las primeras palabras de un artículo, en minúscula y sin signos."""
    return tuple(re.findall(r"\w+", article.text.lower())[:MAX_WORDS])


def intruder_documents(
    articles: Sequence[Article], n_documents: int, n_sentences: int = 4, seed: int = 0
) -> list[IntruderDocument]:
    """Documentos al azar: la intrusa puede estar en cualquier lugar, y su tema ser cualquiera.

    Errores: `ValueError` si falta algún tema entre los artículos.
    """
    pools: dict[str, list[tuple[str, ...]]] = {}
    for article in articles:
        words = opening_words(article)
        if len(words) >= MIN_WORDS:
            pools.setdefault(article.topic, []).append(words)
    missing = [topic for topic in (COMMON_TOPIC, *TOPICS) if topic not in pools]
    if missing:
        raise ValueError(f"no hay artículos de {', '.join(missing)}: usa los de `split_articles`")
    rng = random.Random(seed)
    documents = []
    for _ in range(n_documents):
        topic, place = rng.randrange(len(TOPICS)), rng.randrange(n_sentences)
        sentences = [rng.choice(pools[COMMON_TOPIC]) for _ in range(n_sentences)]
        sentences[place] = rng.choice(pools[TOPICS[topic]])
        documents.append(IntruderDocument(tuple(sentences), topic, place))
    return documents


def count_words(sentences: Sequence[Sequence[str]], min_count: int) -> dict[str, int]:
    """Número de cada palabra frecuente: las que salen menos de `min_count` veces no lo tienen."""
    counts = Counter(word for sentence in sentences for word in sentence)
    known = (word for word, count in counts.most_common() if count >= min_count)
    return {word: number for number, word in enumerate(known, start=UNKNOWN_ID + 1)}


def number_words(sentences: Sequence[Sequence[str]], numbers: dict[str, int]) -> Tensor:
    """Palabras → números, con relleno al final: `(N, MAX_WORDS)`; uno común a las desconocidas."""
    ids = torch.full((len(sentences), MAX_WORDS), PAD_ID)
    for row, sentence in enumerate(sentences):
        found = [numbers.get(word, UNKNOWN_ID) for word in sentence[:MAX_WORDS]]
        ids[row, : len(found)] = torch.tensor(found)
    return ids


def number_trigrams(sentences: Sequence[Sequence[str]]) -> Tensor:
    """Grupos de tres letras de cada palabra, en números: `(N, MAX_WORDS, MAX_TRIGRAMS)`.

    Se reparten en `N_TRIGRAMS` casillas con una función resumen, así que no hay desconocidos.
    """
    ids = torch.full((len(sentences), MAX_WORDS, MAX_TRIGRAMS), PAD_ID)
    for row, sentence in enumerate(sentences):
        for column, word in enumerate(sentence[:MAX_WORDS]):
            framed = f"<{word}>"
            groups = [framed[i : i + 3] for i in range(len(framed) - 2)][:MAX_TRIGRAMS]
            codes = [1 + zlib.crc32(group.encode()) % N_TRIGRAMS for group in groups]
            ids[row, column, : len(codes)] = torch.tensor(codes)
    return ids
