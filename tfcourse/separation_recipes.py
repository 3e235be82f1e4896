"""Recetas para entrenar un SepFormer pequeño: la de la página y la de los pesos del curso."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.spoken_phrases import train_speakers
from tfcourse.datasets.voice_mixtures import (
    MixtureChanges,
    Mixtures,
    mixture_batches,
    reserved_mixtures,
)
from tfcourse.ideal_masks import ideal_separation
from tfcourse.models.sepformer import VARIANTS, SepFormer, SepFormerConfig
from tfcourse.optimizers import Adam
from tfcourse.separation_metrics import improvement, permutation_loss, si_snr
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.training import Evaluation, History, fit, one_cycle, seed_everything

SHIPPED_NAME = "sepformer_cifras"


@dataclass(frozen=True)
class SeparationRecipe:
    """Cómo se entrena: tamaños, pasos, lote, ritmos y lo que se sortea al mezclar.

    Con `muon`, las matrices van con Muon y lo demás con Adam; sin él, todo con Adam y `adam_lr`.
    En los primeros `easy_steps` pasos, los tonos de las voces están a `easy_gap` semitonos o más.
    `takes` son las tomas de cada voz.
    """

    size: dict = field(default_factory=lambda: dict(VARIANTS["aula"]))
    n_speakers: int = 2
    steps: int = 120
    batch_size: int = 8
    muon: bool = True
    muon_lr: float = 0.01
    adam_lr: float = 2e-3
    weight_decay: float = 0.0
    easy_steps: int = 0
    easy_gap: float = 6.0
    takes: int = 2
    changes: MixtureChanges = field(default_factory=MixtureChanges)


# Primero, voces de tonos alejados: lo fácil antes que lo difícil.
CLASSROOM = SeparationRecipe(steps=180, easy_steps=90)
# Los pesos del curso: una red más ancha y más honda, más tomas de cada voz y muchos más pasos.
LONG = replace(
    CLASSROOM,
    size=dict(VARIANTS["larga"]), steps=16_000, takes=6, easy_steps=150,
)  # fmt: skip
# Y otra vuelta desde ahí, más corta y a la mitad de ritmo.
POLISH = replace(LONG, steps=5_000, muon_lr=0.005, adam_lr=1e-3, easy_steps=0)


def separation_batches(recipe: SeparationRecipe, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes `(mezclas, voces)`: primero, si se pide, de voces con tonos muy distintos."""
    people = train_speakers(recipe.takes)
    easy = replace(recipe.changes, gap=recipe.easy_gap)
    sizes = (people, recipe.batch_size)
    yield from islice(mixture_batches(*sizes, easy, seed + 1, recipe.n_speakers), recipe.easy_steps)
    yield from mixture_batches(*sizes, recipe.changes, seed, recipe.n_speakers)


def separation_loss(model: SepFormer, batch: tuple) -> Float[Tensor, ""]:
    """La pérdida de un lote `(mezclas, voces)`."""
    waves, sources = batch
    return permutation_loss(model(waves), sources)


def fixed_order_loss(model: SepFormer, batch: tuple) -> Float[Tensor, ""]:
    """La misma pérdida si a cada salida se le asigna de antemano un hablante: así no se aprende."""
    waves, sources = batch
    return -si_snr(model(waves), sources).mean()


def train_separator(
    recipe: SeparationRecipe = CLASSROOM,
    seed: int = 0,
    *,
    batches: Iterable | None = None,
    loss_fn: Callable[[SepFormer, tuple], Tensor] = separation_loss,
    evaluation: Evaluation | None = None,
) -> tuple[SepFormer, History]:
    """Construye y entrena un SepFormer; sin `batches`, con las voces sintéticas del curso."""
    seed_everything(seed)
    model = SepFormer(SepFormerConfig(n_speakers=recipe.n_speakers, **recipe.size))
    batches = separation_batches(recipe, seed) if batches is None else batches
    if recipe.muon:
        history = fit_with_muon(model, batches, loss_fn, recipe, evaluation)
    else:
        history = fit(
            model, batches, loss_fn, steps=recipe.steps,
            optimizer=Adam(model.parameters(), lr=recipe.adam_lr),
            schedule=one_cycle(recipe.steps), evaluation=evaluation,
        )  # fmt: skip
    return model.cpu().eval(), history


@torch.no_grad()
def gains(model: SepFormer, mixtures: Mixtures, batch_size: int = 20) -> Float[Tensor, " N"]:
    """Mejora de SI-SNR en cada mezcla, en decibelios."""
    was_training = model.training
    model.eval()
    found = [
        improvement(model(sources.sum(dim=1)), sources, sources.sum(dim=1))
        for sources in mixtures.sources.split(batch_size)
    ]
    model.train(was_training)
    return torch.cat(found)


def ideal_gains(mixtures: Mixtures, n_fft: int = 512, hop: int = 128) -> Float[Tensor, " N"]:
    """Lo que se mejora en cada mezcla con las máscaras ideales: la cota de arriba."""
    estimates = ideal_separation(mixtures.sources, n_fft, hop)
    return improvement(estimates, mixtures.sources, mixtures.waves)


def polished(model: SepFormer, seed: int = 1) -> SepFormer:
    """La segunda vuelta, con mezclas de otra semilla."""
    fit_with_muon(model, separation_batches(POLISH, seed), separation_loss, POLISH)
    return model.cpu().eval()


def train_shipped() -> tuple[SepFormer, WeightsCard]:
    """Entrena los pesos que vienen con el curso; su medida va junto a las dos cotas."""
    torch.set_num_threads(1)
    started = time.process_time()
    model, _ = train_separator(LONG, seed=0)
    model = polished(model)
    spent = time.process_time() - started
    test = reserved_mixtures()
    card = WeightsCard(
        config=asdict(model.config),
        recipe=asdict(LONG) | {"polish": asdict(POLISH)},
        seed=0,
        cpu_seconds=round(spent),
        quality={
            "mejora de SI-SNR, en dB": round(float(gains(model, test).mean()), 2),
            "mejora con la máscara ideal": round(float(ideal_gains(test).mean()), 2),
            "mejora sin hacer nada": 0.0,
        },
        data="mezclas de cifras sintetizadas con eSpeak NG: las de entrenar",
    )
    return model, card


def load_shipped() -> SepFormer:
    """El SepFormer que viene con el curso."""
    model = SepFormer(SepFormerConfig(**weights_card(SHIPPED_NAME).config)).eval()
    load_weights(SHIPPED_NAME, model)
    return model
