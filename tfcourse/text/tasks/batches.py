"""Un modelo, siete tareas: de las parejas de texto a los lotes, y de lo que escribe a las notas."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import torch
from torch import Tensor

from tfcourse.datasets.tasks.mixture import Pair, mixed_examples, with_prefix
from tfcourse.datasets.text.spans import corrupt, random_spans, sentinel
from tfcourse.decoding import translate
from tfcourse.models.t5 import T5
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.vocabulary import pad_sequences

N_SENTINELS = 20
SENTINELS = tuple(sentinel(number) for number in range(N_SENTINELS))
Batch = tuple[Tensor, Tensor, Tensor]


def encode_batch(pairs: Sequence[tuple[list[int], list[int]]], pad_id: int) -> Batch:
    """Lote `(entrada, longitudes, objetivo)` de parejas ya en números, con su relleno."""
    sources, targets = zip(*pairs, strict=True)
    lengths = torch.tensor([len(source) for source in sources])
    return pad_sequences(list(sources), pad_id), lengths, pad_sequences(list(targets), pad_id)


def encode_pair(tokenizer: Tokenizer, task: str, pair: Pair) -> tuple[list[int], list[int]]:
    """Entrada con su prefijo y salida entre inicio y fin, en números."""
    source = tokenizer.encode(with_prefix(task, pair[0]), stop=True)
    return source, tokenizer.encode(pair[1], start=True, stop=True)


def task_batches(
    tokenizer: Tokenizer,
    tasks: Mapping[str, Sequence[Pair]],
    rates: Mapping[str, float],
    *,
    batch_size: int,
    seed: int = 0,
) -> Iterator[Batch]:
    """Lotes sin fin de la mezcla. Cada lote junta longitudes parecidas, para rellenar menos."""
    examples, chunk = mixed_examples(tasks, rates, seed), 8 * batch_size
    rng = random.Random(seed)
    while True:
        encoded = [encode_pair(tokenizer, task, pair) for task, pair in islice(examples, chunk)]
        yield from _by_length(encoded, batch_size, tokenizer.pad_id, rng)


def span_batches(
    tokenizer: Tokenizer,
    texts: Sequence[str],
    *,
    batch_size: int,
    length: int = 48,
    seed: int = 0,
) -> Iterator[Batch]:
    """Lotes sin fin de texto corriente con tramos tapados: nadie ha etiquetado nada."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    marks = [tokenizer.token_id(name) for name in SENTINELS]
    encoded = [ids for text in texts if len(ids := tokenizer.encode(text)) > 8]
    while True:
        pairs = []
        for ids in rng.choices(encoded, k=batch_size):
            first = rng.randrange(max(1, len(ids) - length + 1))
            window = ids[first : first + length]
            source, target = corrupt(window, random_spans(len(window), generator), marks)
            stop = tokenizer.stop_id
            pairs.append(([*source, stop], [tokenizer.start_id, *target, stop]))
        yield encode_batch(pairs, tokenizer.pad_id)


def answer(
    model: T5, tokenizer: Tokenizer, task: str, texts: Sequence[str], *, max_length: int = 48
) -> list[str]:
    """Lo que el modelo escribe para cada texto de una tarea."""
    sources = [tokenizer.encode(with_prefix(task, text), stop=True) for text in texts]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    written: dict[int, str] = {}
    for start in range(0, len(order), 128):
        rows = order[start : start + 128]
        lengths = torch.tensor([len(sources[i]) for i in rows])
        padded = pad_sequences([sources[i] for i in rows], tokenizer.pad_id)
        texts_out = translate(model, padded, lengths, tokenizer, max_length=max_length)
        written |= dict(zip(rows, texts_out, strict=True))
    return [written[i] for i in range(len(sources))]


def _by_length(encoded, batch_size: int, pad_id: int, rng: random.Random) -> Iterator[Batch]:
    ordered = sorted(encoded, key=lambda pair: len(pair[0]))
    batches = [ordered[i : i + batch_size] for i in range(0, len(ordered), batch_size)]
    rng.shuffle(batches)
    for batch in batches:
        yield encode_batch(batch, pad_id)
