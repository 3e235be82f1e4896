"""Dictado de cifras: varias palabras seguidas, sin decir dónde empiezan, y ajuste con CTC."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.spoken_words import SpokenWords
from tfcourse.edit_distance import error_rate
from tfcourse.models.wav2vec2 import Wav2Vec2, WaveTagger
from tfcourse.training import History, seed_everything

BLANK = 0


@dataclass(frozen=True)
class DictationRecipe:
    """Cómo se ajusta con CTC: pasos, lote, cifras por dictado y ritmos."""

    steps: int = 240
    batch_size: int = 8
    n_words: int = 3
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0


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


def ctc_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida CTC media de un lote `(ondas, símbolos)`, todas igual de largas.

    Fuente: Graves et al. (2006), § 4; la calcula PyTorch.
    """
    waves, symbols = batch
    scores = model(waves).log_softmax(dim=-1)
    rows, frames, _ = scores.shape
    return F.ctc_loss(
        scores.transpose(0, 1),
        symbols,
        torch.full((rows,), frames),
        torch.full((rows,), symbols.shape[1]),
        blank=BLANK,
    )


def best_path(scores: Float[Tensor, "L K"]) -> list[int]:
    """Lo que se lee en el mejor camino: se juntan los repetidos y se quitan los blancos."""
    path: Int[Tensor, " L"] = scores.argmax(dim=-1).unique_consecutive()
    return [symbol for symbol in path.tolist() if symbol != BLANK]


def take_dictation(
    wav2vec2: Wav2Vec2, data: SpokenWords, recipe: DictationRecipe, seed: int = 0
) -> tuple[WaveTagger, History]:
    """Copia el modelo, pone encima una capa que da un símbolo por vector y lo ajusta con CTC."""
    seed_everything(seed)
    model = WaveTagger(copy.deepcopy(wav2vec2), len(data.words) + 1, segments=None, frozen=True)
    batches = dictations(data, recipe.batch_size, recipe.n_words, seed)
    history = fit_with_muon(model, batches, ctc_loss, recipe)
    return model.cpu(), history


@torch.no_grad()
def word_errors(
    model: WaveTagger, waves: Float[Tensor, "B T"], symbols: Int[Tensor, "B N"]
) -> float:
    """Tasa de error por palabra de lo que se lee en el mejor camino."""
    model.eval()
    return error_rate([best_path(scores) for scores in model(waves)], symbols.tolist())
