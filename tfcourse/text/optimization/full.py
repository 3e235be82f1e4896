"""A escala real: doce y doce bloques, con normalización y sin ella, y con suavizado y sin él."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE
from tfcourse.layers.initialization import t_fixup, xavier_initialization
from tfcourse.losses import smoothed_loss
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.stored.full import FullRun
from tfcourse.text.optimization.recipe import BETAS
from tfcourse.text.seq2seq.full import TINY
from tfcourse.text.seq2seq.translators import (
    Recipe,
    copying,
    read_sentences,
    score,
    train_translator,
)
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.schedules import linear_decay, linear_warmup, product


@dataclass(frozen=True)
class Full(Recipe):
    """La receta común, lo que dura el calentamiento de Pre-LN y el tamaño del Transformer."""

    steps: int = 20_000
    warmup: int = 2_000
    smoothing: float = 0.1
    sizes: dict = field(
        default_factory=lambda: {
            "d_model": 512, "n_heads": 8, "n_layers": 12, "d_hidden": 2048, "dropout": 0.1,
        }
    )  # fmt: skip


REHEARSAL = Full(
    **TINY,
    max_tokens=24,
    warmup=2,
    sizes={"d_model": 16, "n_heads": 2, "n_layers": 2, "d_hidden": 32, "dropout": 0.1},
)


def smoothed(model: nn.Module, batch: tuple, smoothing: float) -> Float[Tensor, ""]:
    """Pérdida con forzado del profesor y etiquetas suavizadas."""
    source, lengths, target = batch
    return smoothed_loss(model(source, lengths, target[:, :-1]), target[:, 1:], smoothing)


def build(n_tokens: int, sizes: dict, *, normalized: bool) -> Transformer:
    """Con Pre-LN o, sin normalizar, con los pesos de T-Fixup."""
    start: Callable = xavier_initialization if normalized else t_fixup
    return start(Transformer(TransformerConfig(n_tokens, n_tokens, norm_first=True, **sizes)))


def measure(settings: Full, folder: Path) -> list[dict]:
    """BLEU y chrF en oraciones inglesas que no están al entrenar, y BLEU según lo que midan."""
    sentences = read_sentences(settings)
    rows, down = [copying(sentences)], linear_decay(settings.steps)
    warmed = product(linear_warmup(settings.warmup), down)
    smoothing = settings.smoothing
    contenders = {
        "Pre-LN": (True, warmed, 0.0),
        "Pre-LN, suavizado": (True, warmed, smoothing),
        "T-Fixup, sin calentar, suavizado": (False, down, smoothing),
    }
    for name, (normalized, schedule, amount) in contenders.items():
        model = train_translator(
            lambda read, on=normalized: build(len(read.pieces), settings.sizes, normalized=on),
            sentences, settings, Checkpoint(folder / f"{name}.safetensors", settings.save_every),
            loss_fn=partial(smoothed, smoothing=amount), schedule=schedule, betas=BETAS,
        )  # fmt: skip
        rows.append(score(model, name, sentences, settings))
    return rows


RUNS = {
    "doce_bloques": FullRun(
        name="doce_bloques",
        title="Tatoeba inglés–español, doce y doce bloques",
        sources=(TATOEBA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=7,
        hours=2,
    )
}
