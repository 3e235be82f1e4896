"""Recetas para destilar: un alumno pequeño, con maestro o sin él."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from tfcourse.datasets.pictures.augmentation import image_batches
from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.vit import ViT
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import Trained, trained
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.distillation.losses import UNKNOWN, DistillationLoss


@dataclass(frozen=True)
class Recipe(classification.Recipe):
    """Cómo aprende un alumno: de quién, uno de `KINDS`, y con qué red.

    El DeiT tiene un token para el maestro; a un ViT le enseñan los dos con la misma salida.
    """

    steps: int = 250
    network: str = "DeiT"
    kind: str = "etiquetas"


def build(recipe: Recipe, n_classes: int = 10, **options) -> ViT:
    """El alumno, sin entrenar; `options` cambia su tamaño.

    Errores: `ValueError` si la red no se conoce.
    """
    if recipe.network == "DeiT":
        return DeiT(DeiTConfig(n_classes, **recipe.options | options))
    return classification.build(recipe, n_classes, **options)


def batches(
    recipe: Recipe, seed: int, labelled: LabelledImages, pool: Tensor | None = None
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin: de imágenes con etiqueta o, si hay `pool`, mitad con ella y mitad sin ella."""
    size = recipe.batch_size if pool is None else recipe.batch_size // 2
    size = min(size, len(labelled))
    known = image_batches(labelled, size, moves=recipe.moves, seed=seed)
    if pool is None:
        yield from known
    unknown = LabelledImages(pool, torch.full((len(pool),), UNKNOWN))
    room = min(recipe.batch_size - size, len(pool))
    extra = image_batches(unknown, room, moves=recipe.moves, seed=seed + 1000)
    for (images, labels), (more, no_labels) in zip(known, extra, strict=False):
        yield torch.cat([images, more]), torch.cat([labels, no_labels])


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    labelled: LabelledImages,
    teacher: nn.Module | None = None,
    pool: Tensor | None = None,
    checkpoint: Checkpoint | None = None,
    **options,
) -> Trained:
    """Construye y entrena un alumno.

    `pool` son imágenes sin etiqueta, que solo sirven si hay maestro; `options`, las de `build`.
    Errores: `ValueError` si se dan imágenes sin etiqueta y no hay quien las conteste.
    """
    if pool is not None and recipe.kind == "etiquetas":
        raise ValueError("sin maestro, las imágenes sin etiqueta no enseñan nada: quita pool")
    student = partial(build, recipe, **options)
    loss = DistillationLoss(recipe.kind, None if teacher is None else teacher.eval())
    stream = batches(recipe, seed, labelled, pool)
    return trained(student, stream, loss, recipe, seed, budget, checkpoint=checkpoint)
