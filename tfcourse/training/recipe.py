"""La receta y lo que deja: cómo se entrena un modelo, con la misma forma en todos los temas.

El cuarto de cada tema tiene su `Recipe`, y `build`, `batches` y `train` que la siguen.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import Evaluation, History, Loss, fit, seed_everything
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.training.schedules import cycle


class MuonRecipe:
    """Lo que una receta con Muon dice del optimizador; la de cada tema cambia lo que necesite.

    `muon_lr` es el ritmo de las matrices y `adam_lr`, el de lo demás; `warmup`, la parte del
    entrenamiento en la que el ritmo sube.
    """

    steps: int
    muon_lr: float
    adam_lr: float
    # Sin anotar no son campos: solo se escribe en la receta guardada lo que la de un tema cambia.
    weight_decay = 0.0
    betas = (0.9, 0.95)
    warmup = 0.15


@dataclass
class Trained:
    """Lo que deja un entrenamiento: el modelo, en modo de evaluación, y su historia."""

    model: nn.Module
    recipe: Any
    history: History


def muon(model: nn.Module, recipe: MuonRecipe) -> Muon:
    """El optimizador de una receta: las matrices, con Muon, y lo demás, con Adam."""
    return Muon(
        *split_parameters(model),
        lr=recipe.muon_lr, adam_lr=recipe.adam_lr,
        weight_decay=recipe.weight_decay, betas=recipe.betas,
    )  # fmt: skip


def fit_with_muon(
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable[[nn.Module, tuple], Loss],
    recipe: MuonRecipe,
    budget: Budget | None = None,
    *,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
    description: str = "Entrenando",
) -> History:
    """Entrena según la receta un modelo ya construido; sin `budget`, los pasos que ella dice."""
    budget = budget or Steps(recipe.steps)
    return fit(
        model, batches, loss_fn, budget=budget, optimizer=muon(model, recipe),
        schedule=cycle(budget, recipe.warmup), evaluation=evaluation, checkpoint=checkpoint,
        description=description,
    )  # fmt: skip


def trained(
    build: Callable[[], nn.Module],
    batches: Iterable,
    loss_fn: Callable[[nn.Module, tuple], Loss],
    recipe: MuonRecipe,
    seed: int,
    budget: Budget | None = None,
    **options,
) -> Trained:
    """Siembra, construye el modelo y lo entrena según la receta.

    `options` son las de `fit_with_muon`.
    """
    seed_everything(seed)
    model = build()
    history = fit_with_muon(model, batches, loss_fn, recipe, budget, **options)
    return Trained(model, recipe, history)


def classification_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(entradas, clases)`."""
    inputs, labels = batch
    return F.cross_entropy(model(inputs), labels)
