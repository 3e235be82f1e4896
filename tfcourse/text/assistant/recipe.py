"""La receta del tema: qué modelo se entrena, con qué lotes y cuánto.

Por escribir: todo. Lo de ahora es un juguete con la forma de una receta: una red que dice cuál de
dos números es el mayor.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, classification_loss, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: tamaño, pasos, lote y ritmos."""

    d_hidden: int = 16
    steps: int = 100
    batch_size: int = 32
    muon_lr: float = 0.02
    adam_lr: float = 3e-3


def build(recipe: Recipe) -> nn.Module:
    """El modelo de la receta, con pesos al azar."""
    return nn.Sequential(nn.Linear(2, recipe.d_hidden), nn.ReLU(), nn.Linear(recipe.d_hidden, 2))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin: parejas de números y cuál es el mayor de cada una."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        pairs = torch.randn(recipe.batch_size, 2, generator=generator)
        yield pairs, pairs.argmax(dim=1)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Construye y entrena el modelo; sin `budget`, los pasos de la receta."""
    stream = batches(recipe, seed)
    return trained(partial(build, recipe), stream, classification_loss, recipe, seed, budget)


# Los pesos que vienen con el curso: nombre → Shipped(entrenar, medir, no saber nada, datos).
WEIGHTS: dict[str, Shipped] = {}


def load(name: str) -> nn.Module:
    """Un modelo de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = build(Recipe()).eval()
    load_weights(name, model)
    return model
