"""Tatoeba inglés–español, repartida para traducir: lo que se evalúa no se ha leído al entrenar."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tfcourse.datasets.text.translation import split_words, tatoeba_sentences
from tfcourse.stored.full import Source

TATOEBA_SOURCE = Source("Tatoeba en–es", "https://www.manythings.org/anki/", "CC BY 2.0 FR", 0.003)


@dataclass(frozen=True)
class ReservedSentence:
    """Una oración para evaluar, con todas las traducciones que le han dado."""

    source: str
    references: tuple[str, ...]


def tatoeba_split(
    n_test: int, seed: int = 0, archive: Path | None = None
) -> tuple[list[tuple[str, str]], list[ReservedSentence]]:
    """Parejas para entrenar y oraciones para evaluar, sin ninguna oración inglesa en común.

    Muchas oraciones tienen varias traducciones, y todas van a la misma parte; dos que solo se
    distinguen en mayúsculas o signos cuentan como una. Tatoeba no tiene reparto oficial: el sorteo
    depende de la semilla y de las oraciones, no de su orden.
    Errores: los de `tatoeba_sentences`, y `ValueError` si no quedan oraciones para entrenar.
    """
    pairs = tatoeba_sentences(archive)
    keys = sorted({sentence_key(source) for source, _ in pairs})
    if not 0 < n_test < len(keys):
        raise ValueError(
            f"n_test={n_test} con {len(keys)} oraciones inglesas distintas: hacen falta algunas "
            "para entrenar y otras para evaluar"
        )
    random.Random(seed).shuffle(keys)
    reserved = set(keys[:n_test])
    known = [pair for pair in pairs if sentence_key(pair[0]) not in reserved]
    kept = [pair for pair in pairs if sentence_key(pair[0]) in reserved]
    return known, _test_sentences(kept)


def sentence_key(sentence: str) -> str:
    """Las palabras de una oración, en minúscula y sin signos: lo que no puede repetirse."""
    words = [word for word in split_words(sentence) if word.isalnum()]
    return " ".join(words) or sentence


def _test_sentences(pairs: Sequence[tuple[str, str]]) -> list[ReservedSentence]:
    """Una oración por clave: de las que solo cambian en un signo se lee la primera."""
    sources: dict[str, str] = {}
    references: dict[str, dict[str, None]] = {}
    for source, target in pairs:
        key = sentence_key(source)
        sources.setdefault(key, source)
        references.setdefault(key, {})[target] = None
    return [ReservedSentence(source, tuple(references[key])) for key, source in sources.items()]
