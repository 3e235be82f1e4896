"""Parejas de oraciones: ¿va la segunda detrás de la primera? Siguiente oración, y orden."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from tfcourse.datasets.text.article_topics import plain_text
from tfcourse.datasets.text.masking import CLS, SEP
from tfcourse.tokenizers.base import Tokenizer

# Un punto seguido de espacio y mayúscula; las abreviaturas de una letra («J. R. R.») no cortan.
SENTENCE_END = re.compile(r"(?<=[^\W\d_]{2}[.!?»)])\s+(?=[A-ZÁÉÍÓÚÑ¿¡«])")


@dataclass(frozen=True)
class SentencePair:
    """Dos oraciones y si la segunda va, en el texto, justo detrás de la primera."""

    first: str
    second: str
    follows: bool


def sentences(text: str, min_words: int = 4) -> list[str]:
    """Las oraciones de un texto, sin las que tienen menos de `min_words` palabras."""
    return [part for part in SENTENCE_END.split(text) if len(part.split()) >= min_words]


def next_sentence_pairs(texts: Sequence[str], seed: int = 0) -> list[SentencePair]:
    """Siguiente oración (NSP): la mitad de las parejas son seguidas; la otra, de textos distintos.

    Fuente: Devlin et al. (2019), § 3.1. Errores: `ValueError` si no hay dos textos con parejas.
    """
    return [
        SentencePair(first, other if swap else second, not swap)
        for first, second, other, swap in consecutive_sentences(texts, seed)
    ]


def sentence_order_pairs(texts: Sequence[str], seed: int = 0) -> list[SentencePair]:
    """Orden de oraciones (SOP): las dos son siempre seguidas; la mitad, del revés.

    Fuente: Lan et al. (2020), § 3.1. Errores: `ValueError` si no hay dos textos con parejas.
    """
    return [
        SentencePair(second, first, False) if swap else SentencePair(first, second, True)
        for first, second, _, swap in consecutive_sentences(texts, seed)
    ]


def consecutive_sentences(
    texts: Sequence[str], seed: int = 0
) -> Iterator[tuple[str, str, str, bool]]:
    """Una pareja de oraciones seguidas por texto, otra oración de un texto ajeno y cara o cruz."""
    generator = random.Random(seed)
    split = [parts for text in texts if len(parts := sentences(text)) > 1]
    if len(split) < 2:
        raise ValueError(
            f"solo hay {len(split)} textos con dos oraciones: hacen falta al menos dos para poder "
            "tomar una de otro texto"
        )
    for place, parts in enumerate(split):
        position = generator.randrange(len(parts) - 1)
        stranger = split[(place + generator.randrange(1, len(split))) % len(split)]
        yield (
            parts[position], parts[position + 1], generator.choice(stranger),
            generator.random() < 0.5,
        )  # fmt: skip


@dataclass(frozen=True)
class EncodedPairs:
    """Parejas listas para BERT: `tokens` y `segments` (N, L), `lengths` y `follows` (N,)."""

    tokens: Tensor
    lengths: Tensor
    segments: Tensor
    follows: Tensor


def encode_pairs(
    pairs: Sequence[SentencePair], tokenizer: Tokenizer, max_length: int
) -> EncodedPairs:
    """[CLS] primera [SEP] segunda [SEP]: segmento 0 hasta el primer [SEP]; después, 1.

    Si no caben, se acorta por el final la más larga de las dos. Fuente: Devlin et al. (2019),
    figura 2, y apéndice A.2. Errores: `ValueError` si en `max_length` no caben dos tokens.
    """
    if max_length < 5:
        raise ValueError(f"max_length={max_length}: [CLS] a [SEP] b [SEP] ya son cinco tokens")
    cls, sep = tokenizer.token_id(CLS), tokenizer.token_id(SEP)
    tokens, segments = [], []
    for pair in pairs:
        first, second = (tokenizer.encode(plain_text(t)) for t in (pair.first, pair.second))
        while len(first) + len(second) > max_length - 3:
            (first if len(first) > len(second) else second).pop()
        tokens.append(torch.tensor([cls, *first, sep, *second, sep]))
        segments.append(torch.tensor([0] * (len(first) + 2) + [1] * (len(second) + 1)))
    return EncodedPairs(
        pad_sequence(tokens, batch_first=True, padding_value=tokenizer.pad_id),
        torch.tensor([len(row) for row in tokens]),
        pad_sequence(segments, batch_first=True),
        torch.tensor([int(pair.follows) for pair in pairs]),
    )


def shared_words(pair: SentencePair) -> float:
    """Parte de las palabras largas de la oración más corta que están también en la otra.

    No cambia al darles la vuelta: de esto no se puede sacar el orden.
    """
    first, second = (
        {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}
        for text in (pair.first, pair.second)
    )
    return len(first & second) / max(1, min(len(first), len(second)))
