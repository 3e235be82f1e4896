"""La carrera de los núcleos: el mismo buscador de agujas, con cada atención dentro."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.datasets.puzzles.needles import Needles, make_needles, needle_batches
from tfcourse.models.needles import NeedleConfig, NeedleFinder
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

TEST_SEED, N_TEST = 99, 200
EDGES = (0, 8, 32, 64, 128, 256)  # tramos de distancia en los que se mira el acierto


@dataclass(frozen=True)
class Recipe:
    """Un buscador: su núcleo, la longitud, cuánto se le deja mirar y cómo se entrena."""

    kernel: str = "fusionada"
    length: int = 256
    budget: int = 32
    n_layers: int = 2
    steps: int = 170
    batch_size: int = 4
    lr: float = 1e-2


def build(recipe: Recipe) -> NeedleFinder:
    """El buscador de la receta, con pesos al azar."""
    config = NeedleConfig(
        recipe.length, recipe.kernel, budget=recipe.budget, n_layers=recipe.n_layers
    )
    return NeedleFinder(config)


def batches(recipe: Recipe, seed: int) -> Iterator[Needles]:
    """Lotes sin fin, los mismos para todos los núcleos."""
    return needle_batches(recipe.batch_size, recipe.length, seed)


def answer_loss(model: NeedleFinder, batch: Needles) -> Float[Tensor, ""]:
    """Entropía cruzada de las cifras de las respuestas."""
    logits = model(*batch.inputs)
    return F.cross_entropy(logits.flatten(0, 1), batch.answers.flatten())


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Entrena un buscador; sin `budget`, los pasos de la receta."""
    seed_everything(seed)
    model, budget = build(recipe), budget or Steps(recipe.steps)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.lr, weight_decay=0.0)
    history = fit(
        model, batches(recipe, seed), answer_loss, budget=budget, optimizer=optimizer,
        schedule=cycle(budget), description=f"Entrenando con «{recipe.kernel}»",
    )  # fmt: skip
    return Trained(model, recipe, history)


def evaluation_needles(length: int) -> Needles:
    """Las secuencias de evaluación: siempre las mismas, y ninguna se entrena."""
    return make_needles(N_TEST, length, generator=torch.Generator().manual_seed(TEST_SEED))


@torch.no_grad()
def hits(model: NeedleFinder, needles: Needles) -> Bool[Tensor, "B Q"]:
    """Qué preguntas se aciertan. Lee de 50 en 50 secuencias."""
    parts = zip(*(x.split(50) for x in needles.inputs), strict=True)
    return torch.cat([model(*part).argmax(dim=-1) for part in parts]) == needles.answers


def accuracy(
    right: Bool[Tensor, "B Q"], needles: Needles, budget: int = 32
) -> tuple[float, float, float]:
    """Acierto total, de cerca (dentro de la ventana) y de lejos (a más de tres ventanas)."""
    near, far = needles.distances <= budget, needles.distances > 3 * budget
    return tuple(x.float().mean().item() for x in (right, right[near], right[far]))


def accuracy_between(
    right: Bool[Tensor, "B Q"], needles: Needles, edges: tuple[int, ...] = EDGES
) -> list[float]:
    """Acierto en cada tramo de distancias: mayores que un borde y hasta el siguiente."""
    found = []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inside = (needles.distances > low) & (needles.distances <= high)
        found.append(right[inside].float().mean().item())
    return found


def majority(needles: Needles) -> float:
    """Acierto de quien dice siempre la cifra más repetida."""
    return (needles.answers.flatten().bincount().max() / needles.answers.numel()).item()
