"""La receta común de los experimentos: un modelo pequeño, unos ejemplos y una pérdida."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from tfcourse.datasets.batching import minibatches
from tfcourse.training import Evaluation, Steps, default_device, fit, seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import constant, cycle


@dataclass(frozen=True)
class Recipe:
    """Todo lo que define un entrenamiento: `model`, `examples` y `loss` fabrican lo suyo.

    La pérdida se fabrica en cada entrenamiento porque puede llevar memoria. Con `one_cycle`, el
    ritmo sube y baja una vez; sin él, es siempre el mismo.
    """

    model: Callable[[], nn.Module]
    examples: Callable[[], tuple[Tensor, ...]]
    loss: Callable[[], Callable]
    steps: int
    batch_size: int = 64
    lr: float = 1e-2
    weight_decay: float = 0.01
    one_cycle: bool = True


def build(recipe: Recipe) -> nn.Module:
    """El modelo de la receta, con pesos al azar."""
    return recipe.model()


def batches(recipe: Recipe, seed: int = 0) -> Iterator[tuple[Tensor, ...]]:
    """Lotes barajados sin fin."""
    return minibatches(*recipe.examples(), batch_size=recipe.batch_size, seed=seed)


def train(
    recipe: Recipe,
    seed: int = 0,
    budget: Budget | None = None,
    *,
    evaluation: Evaluation | None = None,
) -> Trained:
    """Siembra, construye y entrena; sin `budget`, los pasos de la receta."""
    budget = budget or Steps(recipe.steps)
    seed_everything(seed)
    model = build(recipe).to(default_device())
    history = fit(
        model,
        batches(recipe, seed),
        recipe.loss(),
        budget=budget,
        optimizer=torch.optim.AdamW(
            model.parameters(), lr=recipe.lr, weight_decay=recipe.weight_decay, fused=True
        ),
        schedule=cycle(budget) if recipe.one_cycle else constant,
        evaluation=evaluation,
    )
    return Trained(model, recipe, history)
