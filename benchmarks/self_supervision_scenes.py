"""Ver sin etiquetas, en escenas: si lo que aprenden MAE y el maestro dice la figura o su color.

`python -m benchmarks autosupervision_escenas --escribir` entrena a los dos con cada semilla y las
mismas escenas de una figura, sin etiquetas, y pregunta dos cosas a los mismos rasgos. Los rivales,
un ViT igual y una red convolucional, tienen solo las escenas etiquetadas de una de las preguntas,
`RIVAL_LABELS` por clase, y leen con gradiente tantas imágenes como MAE y como el alumno, movidas de
la misma manera.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache

import torch

from benchmarks.self_supervision import repeated
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class
from tfcourse.datasets.scenes.asked_scenes import TEST_SEED
from tfcourse.datasets.scenes.lone_figures import QUESTIONS, SIDE, lone_figures
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.self_supervision import masked, teacher
from tfcourse.vision.self_supervision.costs import equal_passes
from tfcourse.vision.self_supervision.few_labels import (
    ENCODER,
    Features,
    features_of,
    neighbour_accuracy,
    pixels,
    probe_accuracy,
)

NAME = "autosupervision_escenas"
N_KNOWN, N_TEST, PER_CLASS, BATCH = 2000, 500, (5, 20, 100), 128
RIVAL_LABELS = 20
SHAPE = {"channels": 3, "image_size": SIDE, "patch_size": 4}
# Lo mismo que se mueven las cifras, con el doble de píxeles de lado.
MOVES = Augmentation(shift=1.4, degrees=10.0, scale=0.1)
MASKED = replace(
    masked.SHIPPED, steps=250, batch_size=BATCH, moves=MOVES, options=ENCODER | SHAPE
)  # fmt: skip
TEACHER = replace(
    teacher.SHIPPED, steps=250, moves=MOVES, erased=4, pixel_mean=0.25, pixel_scale=0.16,
    options=ENCODER | SHAPE,
)  # fmt: skip
RIVALS = {
    "ViT": replace(
        classification.CONTESTANTS["ViT"], steps=equal_passes(TEACHER, BATCH), batch_size=BATCH,
        moves=MOVES, options=ENCODER | SHAPE,
    ),
    "CNN": replace(
        classification.CONTESTANTS["CNN"], steps=equal_passes(TEACHER, BATCH), batch_size=BATCH,
        moves=MOVES, options=classification.CONTESTANTS["CNN"].options | {"channels": 3},
    ),
}  # fmt: skip


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "masked": asdict(MASKED),
        "teacher": asdict(TEACHER),
        "rivals": {name: asdict(recipe) for name, recipe in RIVALS.items()},
        "per_class": list(PER_CLASS),
        "rival_labels": RIVAL_LABELS,
        "n_known": N_KNOWN,
        "n_test": N_TEST,
    }


@cache
def scenes() -> tuple[dict[str, LabelledImages], dict[str, LabelledImages]]:
    """Las de entrenar y las reservadas, con las dos preguntas."""
    return lone_figures(N_KNOWN, 0), lone_figures(N_TEST, TEST_SEED)


def row(name: str, how: str, seed: int, question: str, per_class: int, accuracy: float) -> dict:
    """La fila de un acierto."""
    return {
        "name": name, "how": how, "seed": seed, "question": question, "per_class": per_class,
        "accuracy": round(accuracy, 4),
    }  # fmt: skip


def measured(name: str, features: Features, seed: int) -> Iterator[dict]:
    """Vecinos y sonda sobre unos rasgos, con cada pregunta y cada número de etiquetas."""
    known, test = scenes()
    for question in QUESTIONS:
        for per_class in PER_CLASS:
            few = few_per_class(known[question], per_class, seed)
            for how, accuracy in (("vecinos", neighbour_accuracy), ("sonda", probe_accuracy)):
                hits = accuracy(features, few, test[question])
                yield row(name, how, seed, question, per_class, hits)


def unlabelled(seed: int) -> Iterator[dict]:
    """Los suelos, MAE y el maestro: ninguno ve una respuesta al aprender."""
    yield from measured("píxeles", pixels, seed)
    torch.manual_seed(seed)
    blind = teacher.build_encoder(TEACHER)
    yield from measured("al azar", features_of(blind, prepare=TEACHER.prepared), seed)
    images = scenes()[0]["figura"].images  # las dos preguntas tienen las mismas
    painter = masked.train(MASKED, seed, images=images).model.encoder
    yield from measured("MAE", features_of(painter), seed)
    pupil = teacher.train(TEACHER, seed, images=images).model.teacher.encoder
    yield from measured("maestro", features_of(pupil, prepare=TEACHER.prepared), seed)


def supervised(name: str, question: str, seed: int) -> dict:
    """Un rival que solo tiene unas escenas y la respuesta a una pregunta."""
    known, test = scenes()
    recipe, few = RIVALS[name], few_per_class(known[question], RIVAL_LABELS, seed)
    data = repeated(few, recipe.batch_size)
    model = classification.train(recipe, seed, data=data, n_classes=len(QUESTIONS[question])).model
    hits = image_accuracy(model, test[question])
    return row(name, "de cero", seed, question, RIVAL_LABELS, hits)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla, que cambia también qué escenas llevan etiqueta."""
    for seed in seeds:
        yield from unlabelled(seed)
        for name in RIVALS:
            for question in QUESTIONS:
                yield supervised(name, question, seed)
