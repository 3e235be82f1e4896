"""Lo común a todo lo que clasifica: la pérdida, y entrenar con Muon según una receta."""

from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.muon import Muon, split_parameters
from tfcourse.training import Evaluation, History, fit, one_cycle


@runtime_checkable
class MuonRecipe(Protocol):
    """Lo que dice una receta: cuántos pasos, los dos ritmos y cuánto decaen los pesos."""

    steps: int
    muon_lr: float
    adam_lr: float
    weight_decay: float


def classification_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(entradas, clases)`."""
    inputs, labels = batch
    return F.cross_entropy(model(inputs), labels)


def fit_with_muon(
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable,
    recipe: MuonRecipe,
    evaluation: Evaluation | None = None,
) -> History:
    """Entrena según la receta: las matrices, con Muon, y lo demás, con Adam."""
    optimizer = Muon(
        *split_parameters(model),
        lr=recipe.muon_lr, adam_lr=recipe.adam_lr, weight_decay=recipe.weight_decay,
    )  # fmt: skip
    return fit(
        model, batches, loss_fn, steps=recipe.steps, optimizer=optimizer,
        schedule=one_cycle(recipe.steps), evaluation=evaluation,
    )  # fmt: skip
