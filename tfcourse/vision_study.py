"""Estudio largo de las cifras: cuántas imágenes, qué posiciones, qué parches y qué pasa barajadas.

Se mide con `python -m tfcourse tablas vision_cifras --escribir`, unos diez minutos de procesador.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from torch import Tensor, nn

from tfcourse.datasets.digits import LabelledImages, few_per_class, split_digits
from tfcourse.layers.patches import join_patches, split_patches
from tfcourse.models.vit import POOLS, POSITIONS, VARIANTS
from tfcourse.training import seed_everything
from tfcourse.vision_recipes import (
    CONTESTANTS,
    SVM_C,
    contestant,
    image_accuracy,
    svm_accuracy,
    train_classifier,
    trained,
)

NAME = "vision_cifras"
PER_CLASS: tuple[int | None, ...] = (5, 10, 40, None)  # None: todas
PATCH_SIZES = (2, 4, 8)
SHUFFLE_SIZE = 2
RIVALS = (*CONTESTANTS, "SVM")


def accuracy_of(
    name: str, train: LabelledImages, test: LabelledImages, seed: int, **options
) -> float:
    """Entrena una red, o la SVM, y mide con las imágenes reservadas."""
    if name == "SVM":
        return svm_accuracy(train, test)
    return image_accuracy(trained(name, train, seed, **options)[0], test)


def shuffle_patches(images: Tensor, size: int = SHUFFLE_SIZE, seed: int = 0) -> Tensor:
    """Cambia los parches de sitio, en todas las imágenes de la misma manera."""
    patches = split_patches(images, size)
    order = torch.randperm(patches.shape[1], generator=torch.Generator().manual_seed(seed))
    grid = images.shape[-2] // size, images.shape[-1] // size
    return join_patches(patches[:, order], images.shape[1], grid)


class PatchShuffle(nn.Module):
    """Baraja los parches de lo que entra en una red: va después del aumento de datos."""

    def forward(self, images: Tensor) -> Tensor:
        """Las mismas imágenes, todas barajadas de la misma manera."""
        return shuffle_patches(images)


def shuffled_accuracy(name: str, train: LabelledImages, test: LabelledImages, seed: int) -> float:
    """Lo mismo que `accuracy_of`, pero quien aprende ve siempre los parches barajados."""
    if name == "SVM":
        parts = [LabelledImages(shuffle_patches(p.images), p.labels) for p in (train, test)]
        return svm_accuracy(*parts)
    seed_everything(seed)
    model = nn.Sequential(PatchShuffle(), contestant(name))
    train_classifier(model, train, CONTESTANTS[name][1], seed)
    return image_accuracy(model, test)


def settings() -> dict:
    """La receta del estudio."""
    return {
        "contestants": {n: [o, asdict(recipe)] for n, (o, recipe) in CONTESTANTS.items()},
        "size": VARIANTS["aula"],
        "svm_c": SVM_C,
        "per_class": list(PER_CLASS),
        "patch_sizes": list(PATCH_SIZES),
        "shuffle_size": SHUFFLE_SIZE,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por experimento, caso y semilla."""
    train, test = split_digits()
    for seed in seeds:
        row, whole = {"seed": seed}, {}
        for per_class in PER_CLASS:
            few = train if per_class is None else few_per_class(train, per_class, seed)
            for name in RIVALS:
                whole[name] = accuracy_of(name, few, test, seed)  # el último, con todas
                yield row | study_row("imágenes", name, len(few), whole[name])
        for name in RIVALS:
            yield row | study_row("barajadas", name, "", shuffled_accuracy(name, train, test, seed))
        for positions, pool in itertools.product(POSITIONS, POOLS):
            options = {"positions": positions, "pool": pool}
            usual = (positions, pool) == (POSITIONS[0], POOLS[0])
            found = whole["ViT"] if usual else accuracy_of("ViT", train, test, seed, **options)
            yield row | study_row("piezas", "ViT", f"{positions}, {pool}", found)
        for size in PATCH_SIZES:
            usual = size == PATCH_SIZES[0]
            found = (
                whole["ViT"] if usual else accuracy_of("ViT", train, test, seed, patch_size=size)
            )
            yield row | study_row("parches", "ViT", size, found)


def study_row(study: str, model: str, case: int | str, accuracy: float) -> dict:
    """Una fila de la tabla: el experimento, quién, con qué y cuánto acierta."""
    return {"study": study, "model": model, "case": case, "accuracy": accuracy}
