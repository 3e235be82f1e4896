"""Medir un asistente: acierto por clases, cuándo dice «No lo sé» y cuánto olvidó."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

import torch

from tfcourse.datasets.tasks.instructions import (
    KINDS,
    UNKNOWN,
    Instruction,
    instructions,
    is_right,
    tidy,
)
from tfcourse.metrics import window_bits
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.writing import MAX_ANSWER, write
from tfcourse.text.generation.recipe import TrainedGPT
from tfcourse.tokenizers.base import Tokenizer


def hits_by_kind(examples: Sequence[Instruction], written: Sequence[str]) -> dict[str, list[bool]]:
    """De cada clase, qué respuestas son correctas."""
    found: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for example, text in zip(examples, written, strict=True):
        found[example.kind].append(is_right(example, text))
    return {kind: hits for kind, hits in found.items() if hits}


def refusals(examples: Sequence[Instruction], written: Sequence[str]) -> tuple[int, int, int]:
    """Cuántas veces dijo «No lo sé» con razón, cuántas lo dijo y cuántas tocaba decirlo.

    La precisión es la primera entre la segunda; la exhaustividad, entre la tercera.
    """
    said = [tidy(text) == tidy(UNKNOWN) for text in written]
    due = [example.answer == UNKNOWN for example in examples]
    return sum(a and b for a, b in zip(said, due, strict=True)), sum(said), sum(due)


@cache
def commonest(n_per_kind: int = 300) -> dict[str, str]:
    """De cada clase, la respuesta más común al entrenar."""
    counts: dict[str, Counter] = {kind: Counter() for kind in KINDS}
    for example in instructions("entrenar", n_per_kind):
        counts[example.kind][example.answer] += 1
    return {kind: own.most_common(1)[0][0] for kind, own in counts.items()}


def majority_hits(examples: Sequence[Instruction]) -> float:
    """Lo que acierta quien dice siempre la respuesta más común de cada clase."""
    guesses = [commonest()[example.kind] for example in examples]
    return sum(map(is_right, examples, guesses)) / len(examples)


@torch.no_grad()
def bits_of(model: GPT, tokenizer: Tokenizer, text: str) -> float:
    """Bits por carácter en un texto corriente: si suben al afinar, es que ha olvidado."""
    ids = torch.tensor(tokenizer.encode(text))
    first = len(tokenizer.decode(ids[:1]))
    length = model.config.max_length
    where = model.embedding.weight.device
    return window_bits(model, ids.to(where), len(text) - first, length=length)


@torch.no_grad()
def few_shot(
    base: TrainedGPT,
    examples: Sequence[Instruction],
    shown: Sequence[Instruction],
    n_shown: int = 3,
) -> list[str]:
    """Lo que responde un GPT sin afinar, con hasta `n_shown` ejemplos de la misma clase delante.

    Cada uno se escribe «Pregunta: … Respuesta: ….», y se lee lo que sigue al último hasta el primer
    signo: no se le exige que sepa callarse.
    """
    stop_id = base.tokenizer.encode(".")[-1]
    prompts = []
    for example in examples:
        own = [one for one in shown if one.kind == example.kind][:n_shown]
        shots = "".join(f" Pregunta: {one.prompt} Respuesta: {one.answer}." for one in own)
        prompts.append(base.tokenizer.encode(f"{shots} Pregunta: {example.prompt} Respuesta:"))
    longest = base.model.config.max_length - MAX_ANSWER
    written = write(base.model, [ids[-longest:] for ids in prompts], stop_id)
    return [re.split(r"[.,:;¿?]", base.tokenizer.decode(ids).strip())[0] for ids in written]
