"""Dictado de cifras: varias palabras seguidas, sin decir dónde empiezan, y ajuste con CTC."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.losses.ctc import ctc_loss
from tfcourse.metrics.edit_distance import error_rate
from tfcourse.models.wav2vec2 import Wav2Vec2, WaveTagger
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained

BLANK = 0


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se ajusta con CTC: pasos, lote, cifras por dictado y ritmos."""

    steps: int = 240
    batch_size: int = 8
    n_words: int = 3
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0


def build(recipe: Recipe, start: Wav2Vec2, n_words: int) -> WaveTagger:
    """Una copia del modelo con una capa encima, que da un símbolo por vector: palabra o blanco."""
    return WaveTagger(copy.deepcopy(start), n_words + 1, segments=None, frozen=True)


def dictations(
    data: SpokenWords, batch_size: int, n_words: int, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(ondas, símbolos)`: clips al azar, uno detrás de otro.

    El símbolo de la palabra w es w + 1: el 0 es el blanco.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        chosen = torch.randint(len(data), (batch_size, n_words), generator=generator)
        yield data.waves[chosen].flatten(1), data.labels[chosen] + 1


def batches(recipe: Recipe, seed: int, data: SpokenWords) -> Iterator[tuple[Tensor, Tensor]]:
    """Los dictados de la receta, sin fin."""
    return dictations(data, recipe.batch_size, recipe.n_words, seed)


def dictation_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida CTC media de un lote `(ondas, símbolos)`, todas igual de largas."""
    waves, symbols = batch
    counts = torch.full((len(symbols),), symbols.shape[1])
    return ctc_loss(model(waves), symbols, counts, BLANK)


def train(
    recipe: Recipe, seed: int, budget: Budget | None = None, *, start: Wav2Vec2, data: SpokenWords
) -> Trained:
    """Copia el modelo, le pone encima una capa y lo ajusta con CTC."""
    return trained(
        lambda: build(recipe, start, len(data.words)), batches(recipe, seed, data),
        dictation_loss, recipe, seed, budget,
    )  # fmt: skip


def best_path(scores: Float[Tensor, "L K"]) -> list[int]:
    """Lo que se lee en el mejor camino: se juntan los repetidos y se quitan los blancos."""
    path = scores.argmax(dim=-1).unique_consecutive()
    return [symbol for symbol in path.tolist() if symbol != BLANK]


@torch.no_grad()
def word_errors(
    model: WaveTagger, waves: Float[Tensor, "B T"], symbols: Int[Tensor, "B N"]
) -> float:
    """Tasa de error por palabra de lo que se lee en el mejor camino."""
    model.eval()
    return error_rate([best_path(scores) for scores in model(waves)], symbols.tolist())
