"""Palabras y sus vecinas: de un texto a los pares con los que se aprenden vectores de palabras."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class WordCorpus:
    """Corpus de palabras: el vocabulario, su cuenta y el texto en números.

    `ids` es el texto seguido, sin las palabras raras; `counts[i]`, cuántas veces sale la palabra
    `words[i]`. Van de la más a la menos frecuente.
    """

    words: list[str]
    counts: np.ndarray
    ids: np.ndarray

    def __len__(self) -> int:
        return len(self.words)


def word_corpus(text: str, min_count: int = 5) -> WordCorpus:
    """Las palabras de un texto, en minúsculas, que aparecen al menos `min_count` veces.

    Errores: `ValueError` si ninguna llega.
    """
    found = _WORD.findall(unicodedata.normalize("NFC", text).lower())
    totals = Counter(found)
    words = sorted((w for w in totals if totals[w] >= min_count), key=lambda w: (-totals[w], w))
    if not words:
        raise ValueError(
            f"ninguna palabra aparece min_count={min_count} veces: usa más texto o baja min_count"
        )
    numbers = {word: number for number, word in enumerate(words)}
    ids = np.array([numbers[word] for word in found if word in numbers])
    return WordCorpus(words, np.array([totals[word] for word in words]), ids)


def subsample(
    corpus: WordCorpus, generator: np.random.Generator, threshold: float = 1e-3
) -> np.ndarray:
    """Submuestreo: quita al azar parte de las palabras muy frecuentes.

    Una palabra de frecuencia f se queda con probabilidad √(t/f), 1 como mucho.
    Fuente: Mikolov et al. (2013b), ec. 5.
    """
    frequency = corpus.counts / corpus.counts.sum()
    keep = np.minimum(1.0, np.sqrt(threshold / frequency))
    return corpus.ids[generator.random(len(corpus.ids)) < keep[corpus.ids]]


def window_pairs(ids: np.ndarray, window: int, generator: np.random.Generator) -> np.ndarray:
    """Pares (centro, vecina) a no más de `window` palabras, barajados: (P, 2).

    El alcance de cada centro se sortea entre 1 y `window`: las vecinas cercanas pesan más.
    Fuente: Mikolov et al. (2013a), § 3.2.
    """
    reach = generator.integers(1, window + 1, len(ids))
    pairs = []
    for distance in range(1, window + 1):
        left, right = ids[:-distance], ids[distance:]
        ahead, behind = reach[:-distance] >= distance, reach[distance:] >= distance
        pairs.append(np.stack([left[ahead], right[ahead]], axis=1))
        pairs.append(np.stack([right[behind], left[behind]], axis=1))
    return generator.permutation(np.concatenate(pairs))


def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    """Distribución de las muestras negativas: la frecuencia, elevada a ¾ para aplanarla.

    Fuente: Mikolov et al. (2013b), § 2.2.
    """
    weights = counts.astype(float) ** power
    return weights / weights.sum()


def cooccurrences(corpus: WordCorpus, window: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coocurrencias: cuánto aparecen juntas dos palabras; cada vez cuenta 1/distancia.

    Devuelve fila, columna y cuenta de cada celda no nula; la matriz es simétrica.
    Fuente: Pennington, Socher y Manning (2014), § 4.2.
    """
    size, keys, weights = len(corpus), [], []
    for distance in range(1, window + 1):
        left, right = corpus.ids[:-distance], corpus.ids[distance:]
        for one, other in ((left, right), (right, left)):
            keys.append(one.astype(np.int64) * size + other)
            weights.append(np.full(len(one), 1 / distance))
    cells, where = np.unique(np.concatenate(keys), return_inverse=True)
    counts = np.bincount(where, np.concatenate(weights))
    return cells // size, cells % size, counts


def skipgram_batches(
    corpus: WordCorpus,
    *,
    window: int,
    batch_size: int,
    n_shared: int = 64,
    threshold: float = 1e-3,
    seed: int = 0,
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin para skip-gram: centros (B,), vecinas (B,) y negativas comunes (K,).

    En cada pasada se vuelve a sortear qué palabras quedan, el alcance de cada centro y el orden.
    Errores: `ValueError` si el texto no llega para un lote.
    """
    generator = np.random.default_rng(seed)
    cumulative = noise_distribution(corpus.counts).cumsum()
    while True:
        pairs = window_pairs(subsample(corpus, generator, threshold), window, generator)
        if len(pairs) < batch_size:
            raise ValueError(
                f"el texto da {len(pairs)} pares y el lote pide {batch_size}: usa más texto o un "
                "lote menor"
            )
        for start in range(0, len(pairs) - batch_size + 1, batch_size):
            centres, neighbours = torch.from_numpy(pairs[start : start + batch_size].T.copy())
            drawn = np.searchsorted(cumulative, generator.random(n_shared))
            yield centres, neighbours, torch.from_numpy(drawn.clip(max=len(corpus) - 1))


def cooccurrence_batches(
    corpus: WordCorpus, *, window: int, batch_size: int, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin para GloVe: filas (B,), columnas (B,) y cuentas (B,)."""
    generator = np.random.default_rng(seed)
    rows, columns, counts = cooccurrences(corpus, window)
    counts = counts.astype(np.float32)
    while True:
        order = generator.permutation(len(rows))
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            yield tuple(torch.from_numpy(part[chosen]) for part in (rows, columns, counts))
