"""Receta de abajo arriba: los mapas de toda la imagen, haya las figuras que haya, y agrupar."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch

from tfcourse.datasets.scenes.figures import CROWD, FigureConfig, Figures, figure_batches
from tfcourse.models.bottom_up import BottomUpConfig, BottomUpPose
from tfcourse.training import History
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.pose.grouping import bottom_up_loss, group_poses
from tfcourse.vision.pose.metrics import Poses
from tfcourse.vision.pose.recipe import SOURCE, precision, untrained_precision
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Con qué figuras y a qué ritmo."""

    steps: int = 1_500
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 2e-3
    figures: FigureConfig = CROWD
    betas = (0.9, 0.98)
    warmup = 0.1


def build(_recipe: Recipe) -> BottomUpPose:
    """Un modelo sin entrenar."""
    return BottomUpPose(BottomUpConfig())


def batches(recipe: Recipe, seed: int) -> Iterator[Figures]:
    """Lotes sin fin de imágenes con varias figuras."""
    return figure_batches(recipe.batch_size, seed, recipe.figures)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Entrena el modelo de abajo arriba; sin `budget`, los pasos de la receta."""
    return trained(
        partial(build, recipe), batches(recipe, seed), bottom_up_loss, recipe, seed, budget
    )


@torch.no_grad()
def bottom_up(model: BottomUpPose, figures: Figures, batch_size: int = 50) -> Poses:
    """De abajo arriba: una sola pasada por imagen, y a agrupar los puntos."""
    parts = [group_poses(model(some)) for some in figures.images.split(batch_size)]
    owners = torch.cat([part.owners + batch_size * i for i, part in enumerate(parts)])
    return Poses(
        owners,
        torch.cat([part.keypoints for part in parts]),
        torch.cat([part.scores for part in parts]),
    )


WEIGHTS = {
    "pose_abajo_arriba": Shipped(
        train=partial(train, Recipe(), 0),
        score=partial(precision, bottom_up),
        blind=partial(untrained_precision, bottom_up, partial(build, Recipe())),
        data=SOURCE,
    )
}


def load(name: str) -> Trained:
    """El modelo de abajo arriba que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    recipe = Recipe()
    model = build(recipe).eval()
    load_weights(name, model)
    return Trained(model, recipe, History())
