"""Aprender del contexto: segmentos al azar que se repiten, y cuánto cuesta cada vuelta.

Cada secuencia es un segmento nuevo, sorteado en el momento, repetido hasta llenarla. Nada de lo que
guarden los pesos ayuda a acertarlo: solo se puede mirar lo que ya ha salido.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor, nn

from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.training import Steps, fit, seed_everything
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.training.schedules import warmup_cosine


@dataclass(frozen=True)
class CopyTask:
    """Segmentos que se repiten: cuántos símbolos hay, lo que miden y lo que mide la secuencia.

    Errores: `ValueError` si algún segmento no cabe en el alfabeto o no se llega a repetir.
    """

    n_tokens: int = 16
    periods: tuple[int, ...] = (3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15)
    length: int = 33

    def __post_init__(self):
        if not self.periods or max(self.periods) > min(self.n_tokens, self.length - 1):
            raise ValueError(
                f"periods={self.periods}: cada segmento, de símbolos distintos, ha de caber en "
                f"n_tokens={self.n_tokens} y repetirse en length={self.length}"
            )


@dataclass(frozen=True)
class CopyRecipe:
    """Cómo se entrena quien copia: el modelo, el lote, los pasos y los dos ritmos."""

    n_layers: int = 2
    d_model: int = 64
    n_heads: int = 2
    batch_size: int = 32
    steps: int = 200
    muon_lr: float = 0.02
    adam_lr: float = 5e-3


def repeated_segments(
    task: CopyTask, batch_size: int, generator: torch.Generator
) -> Int[Tensor, "B L"]:
    """Un lote de secuencias: cada una repite un segmento suyo, de símbolos distintos."""
    scores = torch.rand(batch_size, task.n_tokens, generator=generator)
    segments = scores.argsort(dim=1)
    chosen = torch.randint(len(task.periods), (batch_size,), generator=generator)
    periods = torch.tensor(task.periods)[chosen]
    places = torch.arange(task.length) % periods[:, None]
    return segments.gather(1, places)


def batches(task: CopyTask, batch_size: int, seed: int) -> Iterator[tuple[Tensor]]:
    """Lotes sin fin; ninguna secuencia vuelve a salir, salvo por azar."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield (repeated_segments(task, batch_size, generator),)


def train_copier(recipe: CopyRecipe, task: CopyTask, seed: int) -> GPT:
    """Entrena un GPT a seguir secuencias que se repiten."""
    seed_everything(seed)
    model = GPT(
        GPTConfig(
            task.n_tokens,
            d_model=recipe.d_model,
            n_heads=recipe.n_heads,
            n_layers=recipe.n_layers,
            max_length=task.length,
            positions="rotatorias",
            norm="cuadratica",
        )
    )
    budget = Steps(recipe.steps)
    optimizer = Muon(*split_parameters(model), lr=recipe.muon_lr, adam_lr=recipe.adam_lr)
    fit(
        model, batches(task, recipe.batch_size, seed), next_token_loss, budget=budget,
        optimizer=optimizer, schedule=warmup_cosine(budget),
    )  # fmt: skip
    return model


@torch.no_grad()
def bits_by_turn(
    model: nn.Module, task: CopyTask, period: int, *, n_sequences: int = 500, seed: int = 0
) -> list[float]:
    """Bits por símbolo de cada vuelta a un segmento de `period` símbolos: la primera, la segunda…

    La primera vuelta no se puede acertar; si se copia, las demás cuestan menos. El primer símbolo
    de todos no se predice.
    """
    generator = torch.Generator().manual_seed(seed)
    tokens = repeated_segments(replace(task, periods=(period,)), n_sequences, generator)
    logits = model(tokens[:, :-1]).transpose(1, 2)
    costs = F.cross_entropy(logits, tokens[:, 1:], reduction="none").mean(0) / math.log(2)
    ends: Sequence[int] = range(period - 1, task.length, period)
    starts = (0, *ends[:-1])
    return [float(costs[a:b].mean()) for a, b in zip(starts, ends, strict=True)]
