"""Estudio de la destilación: con cuántas etiquetas, con qué imágenes y de qué manera compensa.

Se mide con `python -m benchmarks destilacion --escribir`, un cuarto de hora de procesador.
"""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from benchmarks.classification import training_of
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.deit import DeiT
from tfcourse.models.vit import VARIANTS, ViT
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.classification.recipe import CONTESTANTS
from tfcourse.vision.distillation.losses import SOFT_SHARE, TEMPERATURE
from tfcourse.vision.distillation.recipe import Recipe, train

NAME = "destilacion"
TEACHER = "CNN"
PER_CLASS: tuple[int | None, ...] = (5, 20, None)  # None: todas
# Cómo aprende cada alumno, si además ve imágenes de las que no se sabe la clase y si tiene el token
# de destilación.
WAYS = {
    "sin maestro": ("etiquetas", False, True),
    "dura": ("dura", False, True),
    "blanda": ("blanda", False, True),
    "dura, con más imágenes": ("dura", True, True),
    "blanda, con más imágenes": ("blanda", True, True),
    "dura, con más imágenes y sin token": ("dura", True, False),
}


@torch.no_grad()
def by_token(model: ViT, test: LabelledImages) -> dict[str, float]:
    """Acierto de cada token y de los dos juntos, y el coseno medio entre sus vectores finales.

    De un ViT sin token de destilación, solo el acierto.
    """
    if not isinstance(model, DeiT):
        return {"accuracy": image_accuracy(model, test)}
    states = model.eval().encode(test.images)
    votes = {
        "class_token": model.head(states[:, 0]),
        "teacher_token": model.teacher_head(states[:, 1]),
    }
    found = {name: float((v.argmax(-1) == test.labels).float().mean()) for name, v in votes.items()}
    cosine = torch.cosine_similarity(states[:, 0], states[:, 1], dim=-1).mean()
    return {"accuracy": image_accuracy(model, test)} | found | {"cosine": float(cosine)}


def pupil(
    way: str, labelled: LabelledImages, seed: int, teacher: torch.nn.Module, pool: Tensor
) -> ViT:
    """El alumno que aprende de esa manera. Errores: `ValueError` si la manera no se conoce."""
    if way not in WAYS:
        raise ValueError(f"no hay ninguna manera {way!r}: usa {', '.join(WAYS)}")
    kind, with_pool, token = WAYS[way]
    recipe = Recipe(kind=kind, network="DeiT" if token else "ViT")
    return train(
        recipe, seed, labelled=labelled, teacher=None if kind == "etiquetas" else teacher,
        pool=pool if with_pool else None,
    ).model  # fmt: skip


def settings() -> dict:
    """La receta del estudio."""
    teacher = CONTESTANTS[TEACHER]
    return {
        "teacher": [TEACHER, teacher.options, training_of(teacher)],
        "student": [VARIANTS["aula"], training_of(Recipe())],
        "temperature": TEMPERATURE,
        "soft_share": SOFT_SHARE,
        "per_class": list(PER_CLASS),
        "ways": WAYS,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por cantidad de etiquetas, manera de aprender y semilla; también la del maestro."""
    known, test = split_digits()
    for seed in seeds:
        for per_class in PER_CLASS:
            few = known if per_class is None else few_per_class(known, per_class, seed)
            teacher = classification.train(CONTESTANTS[TEACHER], seed, data=few).model
            row = {"seed": seed, "labels": len(few)}
            yield row | {"way": "maestro", "accuracy": image_accuracy(teacher, test)}
            for way, (_, with_pool, _) in WAYS.items():
                if with_pool and per_class is None:
                    continue  # ya no queda ninguna sin etiqueta
                model = pupil(way, few, seed, teacher, known.images)
                yield row | {"way": way} | by_token(model, test)
