"""Recetas para entrenar un SepFormer pequeño: la de la página y la de los pesos del curso."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.sounds.spoken_phrases import train_speakers
from tfcourse.datasets.sounds.voice_mixtures import (
    MixtureChanges,
    mixture_batches,
    reserved_mixtures,
)
from tfcourse.models.sepformer import VARIANTS, SepFormer, SepFormerConfig
from tfcourse.sound.separation.metrics import gains, ideal_gains, permutation_loss, si_snr
from tfcourse.training import Evaluation, fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.optimizers import Adam
from tfcourse.training.recipe import MuonRecipe, Trained, fit_with_muon, muon
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card


@dataclass(frozen=True)
class Recipe(MuonRecipe):
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
CLASSROOM = Recipe(steps=180, easy_steps=90)
# Los pesos del curso: una red más ancha y más honda, más tomas de cada voz y muchos más pasos.
LONG = replace(
    CLASSROOM,
    size=dict(VARIANTS["larga"]), steps=16_000, takes=6, easy_steps=150,
)  # fmt: skip
# Y otra vuelta desde ahí, más corta y a la mitad de ritmo.
POLISH = replace(LONG, steps=5_000, muon_lr=0.005, adam_lr=1e-3, easy_steps=0)


def build(recipe: Recipe) -> SepFormer:
    """Un SepFormer de los tamaños de la receta."""
    return SepFormer(SepFormerConfig(n_speakers=recipe.n_speakers, **recipe.size))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
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


def optimizer_of(model: SepFormer, recipe: Recipe) -> torch.optim.Optimizer:
    """El que pide la receta: Muon con Adam, o todo con Adam."""
    return muon(model, recipe) if recipe.muon else Adam(model.parameters(), lr=recipe.adam_lr)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: Iterable | None = None,
    loss_fn: Callable[[SepFormer, tuple], Tensor] = separation_loss,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Construye y entrena un SepFormer; sin `data`, con lotes de las voces sintéticas del curso."""
    seed_everything(seed)
    model = build(recipe)
    budget = budget or Steps(recipe.steps)
    history = fit(
        model, batches(recipe, seed) if data is None else data, loss_fn, budget=budget,
        optimizer=optimizer_of(model, recipe), schedule=cycle(budget, recipe.warmup),
        evaluation=evaluation, checkpoint=checkpoint,
    )  # fmt: skip
    return Trained(model, recipe, history)


def polished(model: SepFormer, seed: int = 1) -> SepFormer:
    """La segunda vuelta, con mezclas de otra semilla."""
    fit_with_muon(model, batches(POLISH, seed), separation_loss, POLISH)
    return model


def train_twice() -> Trained:
    """Las dos vueltas de los pesos del curso."""
    first = train(LONG, 0)
    return replace(first, model=polished(first.model))


def quality(model: SepFormer) -> dict[str, float]:
    """Lo que se mejora, de media, con voces reservadas."""
    return {"mejora de SI-SNR, en dB": float(gains(model, reserved_mixtures()).mean())}


def bounds() -> dict[str, float]:
    """Entre qué está lo que se mejora: la máscara ideal y dejar la mezcla como está."""
    ideal = float(ideal_gains(reserved_mixtures()).mean())
    return {"mejora con la máscara ideal": ideal, "mejora sin hacer nada": 0.0}


WEIGHTS = {
    "sepformer_cifras": Shipped(
        train_twice, quality, bounds,
        "mezclas de cifras sintetizadas con eSpeak NG: las de entrenar",
        recipe=lambda trained: asdict(trained.recipe) | {"polish": asdict(POLISH)},
    )
}  # fmt: skip


def load(name: str) -> SepFormer:
    """Un SepFormer de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = SepFormer(SepFormerConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
