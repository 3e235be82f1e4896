"""¿Aprende a rellenar huecos? El examen: tramos tapados de textos que no se han leído."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import torch
from torch import Tensor

from tfcourse.datasets.text.spans import corrupt, random_spans
from tfcourse.decoding import greedy_decode
from tfcourse.models.t5 import T5
from tfcourse.text.tasks.batches import SENTINELS, Batch, encode_batch
from tfcourse.tokenizers.base import Tokenizer


def held_out_spans(
    tokenizer: Tokenizer, texts: Sequence[str], *, length: int = 48, n: int = 512, seed: int = 99
) -> Batch:
    """El principio de los primeros `n` textos que dan una ventana entera, tapado siempre igual."""
    generator = torch.Generator().manual_seed(seed)
    marks = [tokenizer.token_id(name) for name in SENTINELS]
    encoded = (tokenizer.encode(text)[:length] for text in texts)
    windows = [ids for ids in encoded if len(ids) == length][:n]
    pairs = [corrupt(ids, random_spans(length, generator), marks) for ids in windows]
    stop = tokenizer.stop_id
    return encode_batch(
        [([*source, stop], [tokenizer.start_id, *target, stop]) for source, target in pairs],
        tokenizer.pad_id,
    )


def hidden_places(tokenizer: Tokenizer, target: Tensor) -> Tensor:
    """Qué posiciones del objetivo son de un tramo tapado: ni centinela ni inicio, fin o relleno."""
    marks = [tokenizer.token_id(name) for name in SENTINELS]
    others = [tokenizer.pad_id, tokenizer.start_id, tokenizer.stop_id]
    return ~torch.isin(target, torch.tensor([*marks, *others], device=target.device))


@torch.no_grad()
def filling_accuracy(
    model: T5, tokenizer: Tokenizer, batch: Batch, *, only_text: bool = False
) -> float:
    """Acierto en los tokens tapados, con los anteriores del tramo a la vista.

    Con `only_text` no se puede elegir ni un centinela ni otra marca, que ahí nunca aciertan.
    """
    device = next(model.parameters()).device
    source, lengths, target = (part.to(device) for part in batch)
    chosen = hidden_places(tokenizer, target[:, 1:])
    barred = only_text & ~hidden_places(tokenizer, torch.arange(len(tokenizer), device=device))
    guesses = torch.cat(
        [
            model(*part, wanted[:, :-1]).masked_fill(barred, -torch.inf).argmax(-1)
            for *part, wanted in zip(
                source.split(128), lengths.split(128), target.split(128), strict=True
            )
        ]
    )
    return float((guesses == target[:, 1:])[chosen].float().mean())


@torch.no_grad()
def write_spans(
    model: T5, tokenizer: Tokenizer, batch: Batch, *, max_length: int = 32
) -> list[list[int]]:
    """Lo que el modelo escribe por su cuenta para cada entrada, sin ver el objetivo: centinelas y
    tokens, hasta el fin, con decodificación voraz.
    """
    device = next(model.parameters()).device
    source, lengths = batch[0].to(device), batch[1].to(device)
    written = greedy_decode(
        model.step,
        model.start(source, lengths),
        torch.full_like(lengths, tokenizer.start_id),
        stop_id=tokenizer.stop_id,
        max_length=max_length,
    )
    return [[token for token in row if token != tokenizer.stop_id] for row in written.tolist()]


def another_source(batch: Batch) -> Batch:
    """El mismo lote, pero cada objetivo se pide con la entrada del siguiente: control."""
    source, lengths, target = batch
    return source.roll(1, 0), lengths.roll(1, 0), target


def blind_filling(
    tokenizer: Tokenizer, texts: Sequence[str], batch: Batch, order: int = 3
) -> tuple[float, float]:
    """Acierto, en los mismos tokens, de dos que no son redes y solo han contado en `texts`.

    Uno dice siempre el token más frecuente. El otro, el que más sigue a los `order - 1` que van
    delante, leídos o ya escritos; si no los ha visto juntos, el que más sigue a los últimos.
    """
    follows = _counts([tokenizer.encode(text) for text in texts], order)
    likeliest = cache(lambda context: follows[context].most_common(1)[0][0])
    commonest, counted, total = 0, 0, 0
    for before, wanted in _hidden_tokens(tokenizer, batch):
        contexts = (tuple(before[len(before) - n :]) for n in reversed(range(order)))
        known = next(context for context in contexts if context in follows)
        commonest += wanted == likeliest(())
        counted += wanted == likeliest(known)
        total += 1
    return commonest / total, counted / total


def _counts(encoded: Sequence[Sequence[int]], order: int) -> dict[tuple, Counter[int]]:
    """Cuántas veces sigue cada token a los 0, 1, …, `order - 1` anteriores."""
    follows: dict[tuple, Counter[int]] = {}
    for ids in encoded:
        for place, token in enumerate(ids):
            for n in range(min(order, place + 1)):
                follows.setdefault(tuple(ids[place - n : place]), Counter())[token] += 1
    return follows


def _hidden_tokens(tokenizer: Tokenizer, batch: Batch) -> Iterator[tuple[list[int], int]]:
    """Cada token tapado, con todo el texto que va delante: lo leído y lo de los tramos."""
    marks = {tokenizer.token_id(name) for name in SENTINELS}
    for source, lengths, target in zip(*(part.tolist() for part in batch), strict=True):
        spans: dict[int, list[int]] = {}
        for token in target[1:]:
            if token in marks:
                current = spans.setdefault(token, [])
            elif token not in (tokenizer.stop_id, tokenizer.pad_id):
                current.append(token)
        text: list[int] = []
        for token in source[: lengths - 1]:
            for wanted in spans[token] if token in marks else ():
                yield text, wanted
                text.append(wanted)
            if token not in marks:
                text.append(token)
