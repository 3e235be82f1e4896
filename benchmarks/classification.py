"""Estudio largo de las cifras: cuántas imágenes, qué posiciones, qué parches y qué pasa barajadas.

Se mide con `python -m benchmarks vision_cifras --escribir`, unos diez minutos de procesador.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from torch import nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.layers.image.patches import PatchShuffle, shuffle_patches
from tfcourse.models.vit import POOLS, POSITIONS, VARIANTS
from tfcourse.training import seed_everything
from tfcourse.vision.classification.metrics import SVM_C, image_accuracy, svm_accuracy
from tfcourse.vision.classification.recipe import (
    CONTESTANTS,
    Recipe,
    build,
    fit_classifier,
    train,
)

NAME = "vision_cifras"
PER_CLASS: tuple[int | None, ...] = (5, 10, 40, None)  # None: todas
PATCH_SIZES = (2, 4, 8)
SHUFFLE_SIZE = 2
RIVALS = (*CONTESTANTS, "SVM")


def accuracy_of(
    name: str, known: LabelledImages, test: LabelledImages, seed: int, **options
) -> float:
    """Entrena una red, o la SVM, y mide con las imágenes reservadas."""
    if name == "SVM":
        return svm_accuracy(known, test)
    return image_accuracy(train(CONTESTANTS[name], seed, data=known, **options).model, test)


def shuffled_accuracy(name: str, known: LabelledImages, test: LabelledImages, seed: int) -> float:
    """Lo mismo que `accuracy_of`, pero quien aprende ve siempre los parches barajados."""
    if name == "SVM":
        parts = [
            LabelledImages(shuffle_patches(part.images, SHUFFLE_SIZE), part.labels)
            for part in (known, test)
        ]
        return svm_accuracy(*parts)
    seed_everything(seed)
    model = nn.Sequential(PatchShuffle(SHUFFLE_SIZE), build(CONTESTANTS[name]))
    fit_classifier(model, CONTESTANTS[name], seed, known)
    return image_accuracy(model, test)


def training_of(recipe: Recipe) -> dict:
    """Lo que una receta dice del entrenamiento; la red y sus opciones van aparte."""
    names = ("steps", "batch_size", "muon_lr", "adam_lr", "weight_decay", "moves")
    return {name: value for name, value in asdict(recipe).items() if name in names}


def settings() -> dict:
    """La receta del estudio."""
    return {
        "contestants": {n: [r.options, training_of(r)] for n, r in CONTESTANTS.items()},
        "size": VARIANTS["aula"],
        "svm_c": SVM_C,
        "per_class": list(PER_CLASS),
        "patch_sizes": list(PATCH_SIZES),
        "shuffle_size": SHUFFLE_SIZE,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por experimento, caso y semilla."""
    known, test = split_digits()
    for seed in seeds:
        row, whole = {"seed": seed}, {}
        for per_class in PER_CLASS:
            few = known if per_class is None else few_per_class(known, per_class, seed)
            for name in RIVALS:
                whole[name] = accuracy_of(name, few, test, seed)  # el último, con todas
                yield row | study_row("imágenes", name, len(few), whole[name])
        for name in RIVALS:
            yield row | study_row("barajadas", name, "", shuffled_accuracy(name, known, test, seed))
        for positions, pool in itertools.product(POSITIONS, POOLS):
            options = {"positions": positions, "pool": pool}
            usual = (positions, pool) == (POSITIONS[0], POOLS[0])
            found = whole["ViT"] if usual else accuracy_of("ViT", known, test, seed, **options)
            yield row | study_row("piezas", "ViT", f"{positions}, {pool}", found)
        for size in PATCH_SIZES:
            usual = size == PATCH_SIZES[0]
            found = (
                whole["ViT"] if usual else accuracy_of("ViT", known, test, seed, patch_size=size)
            )
            yield row | study_row("parches", "ViT", size, found)


def study_row(study: str, model: str, case: int | str, accuracy: float) -> dict:
    """Una fila de la tabla: el experimento, quién, con qué y cuánto acierta."""
    return {"study": study, "model": model, "case": case, "accuracy": accuracy}
