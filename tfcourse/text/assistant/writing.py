"""Escribir respuestas: por lotes de instrucciones igual de largas, y sin relleno delante."""

from collections import defaultdict
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from tfcourse.decoding.steps import greedy, sample_decode, temperature_sampler
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.template import Template

MAX_ANSWER = 12  # tokens: la respuesta más larga tiene menos


@torch.no_grad()
def write(
    model: GPT,
    prompts: Sequence[Sequence[int]],
    stop_id: int,
    *,
    copies: int = 1,
    temperature: float | None = None,
    generator: torch.Generator | None = None,
    max_length: int = MAX_ANSWER,
) -> list[list[int]]:
    """Lo que escribe el modelo tras cada comienzo, `copies` veces seguidas, hasta `stop_id`.

    Sin `temperature`, lo más probable. La instrucción se lee una vez, aunque haya varias copias. Un
    texto que no acaba en `max_length` tokens se queda sin `stop_id`.
    """
    choose = greedy if temperature is None else temperature_sampler(temperature, generator)
    device = model.embedding.weight.device
    found: list[list[int]] = [[] for _ in range(copies * len(prompts))]
    for places in _by_length(prompts):
        tokens = torch.tensor([prompts[place] for place in places], device=device)
        written = _continued(model, tokens, copies, choose, stop_id, max_length)
        for row, ids in enumerate(written.tolist()):
            end = ids.index(stop_id) + 1 if stop_id in ids else len(ids)
            found[copies * places[row // copies] + row % copies] = ids[:end]
    return found


def _continued(
    model: GPT, tokens: Tensor, copies: int, choose: Callable, stop_id: int, max_length: int
) -> Tensor:
    rows = torch.arange(len(tokens), device=tokens.device).repeat_interleave(copies)
    cache = model.start(tokens[:, :-1]).select(rows)
    return sample_decode(
        model.step, cache, tokens[rows, -1], choose=choose, max_length=max_length, stop_id=stop_id
    )


def _by_length(prompts: Sequence[Sequence[int]], batch_size: int = 64) -> list[list[int]]:
    groups = defaultdict(list)
    for place, prompt in enumerate(prompts):
        groups[len(prompt)].append(place)
    return [
        places[start : start + batch_size]
        for _, places in sorted(groups.items())
        for start in range(0, len(places), batch_size)
    ]


def answers(model: GPT, template: Template, prompts: Sequence[str], **options) -> list[str]:
    """Las respuestas a unas instrucciones, en texto. `options`, las de `write`."""
    asked = [template.prompt(text) for text in prompts]
    return [template.read(ids) for ids in write(model, asked, template.end_id, **options)]
