"""Ver sin etiquetas: lo que aprenden MAE y un alumno con su maestro, y con quién se comparan.

`python -m benchmarks autosupervision --escribir` los entrena con cada semilla, sin etiquetas, y
mide lo aprendido con unas pocas por clase: vecinos y sonda lineal. Los rivales, un ViT y una red
convolucional, solo tienen esas etiquetas, y aprenden de tantas imágenes leídas como los demás.
Además, qué le pasa al maestro sin centrar, sin afilar y con Sinkhorn y Knopp en lugar del centro.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

import torch
from torch import nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.training.loop import History
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.self_supervision import masked, teacher
from tfcourse.vision.self_supervision.few_labels import (
    ENCODER,
    features_of,
    neighbour_accuracy,
    pixels,
    probe_accuracy,
)

NAME = "autosupervision"
PER_CLASS, EVERY = (1, 5, 20, 100), 10
MASKED, TEACHER = masked.SHIPPED, teacher.SHIPPED
# Lo que se le cambia al maestro; para verlo bastan unos cientos de pasos.
BRIEF = replace(TEACHER, steps=300)
CHANGES = {
    "con los dos": BRIEF,
    "sin centrar": replace(BRIEF, balance="nada"),
    "sin afilar": replace(BRIEF, teacher_temperature=BRIEF.student_temperature),
    "Sinkhorn y Knopp": replace(BRIEF, balance="sinkhorn", teacher_temperature=0.05),
}
# Los rivales leen tantas imágenes como el alumno, que lee todas las vistas de cada una.
N_STEPS = TEACHER.steps * TEACHER.n_views
RIVALS = {
    "ViT": replace(classification.CONTESTANTS["ViT"], steps=N_STEPS, options=dict(ENCODER)),
    "CNN": replace(classification.CONTESTANTS["CNN"], steps=N_STEPS),
}
SHORT = replace(TEACHER, steps=5)


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "masked": asdict(MASKED),
        "teacher": asdict(TEACHER),
        "changes": {name: asdict(recipe) for name, recipe in CHANGES.items()},
        "rivals": {name: asdict(recipe) for name, recipe in RIVALS.items()},
        "short": asdict(SHORT),
        "per_class": list(PER_CLASS),
        "every": EVERY,
    }


def labelled(name: str, how: str, seed: int, per_class: int, accuracy: float) -> dict:
    """La fila de un acierto con tantas etiquetas por clase."""
    return {
        "kind": "etiquetas", "name": name, "how": how, "seed": seed, "per_class": per_class,
        "accuracy": round(accuracy, 4),
    }  # fmt: skip


def measured(name: str, features, seed: int) -> Iterator[dict]:
    """Vecinos y sonda sobre unos rasgos, con cada número de etiquetas."""
    known, test = split_digits()
    for per_class in PER_CLASS:
        few = few_per_class(known, per_class, seed)
        for how, accuracy in (("vecinos", neighbour_accuracy), ("sonda", probe_accuracy)):
            yield labelled(name, how, seed, per_class, accuracy(features, few, test))


def floors(seed: int) -> Iterator[dict]:
    """Quien no ha aprendido nada: los píxeles, y un ViT con los pesos al azar."""
    torch.manual_seed(seed)
    yield from measured("píxeles", pixels, seed)
    yield from measured("al azar", features_of(teacher.build_encoder(TEACHER)), seed)


def painter(seed: int) -> Iterator[dict]:
    """Lo que aprende MAE."""
    encoder = masked.train(MASKED, seed).model.encoder
    yield from measured("MAE", features_of(encoder), seed)


def curve(history: History) -> dict[str, list[float]]:
    """Las dos entropías del maestro, una media cada `EVERY` pasos."""
    return {
        name: [round(float(part.mean()), 4) for part in torch.tensor(values).split(EVERY)]
        for name, values in history.terms.items()
    }


def pupil(name: str, recipe: teacher.Recipe, seed: int) -> tuple[dict, nn.Module]:
    """Entrena al alumno y al maestro de una receta; su fila y el codificador del maestro."""
    done = teacher.train(recipe, seed)
    encoder = done.model.teacher.encoder
    known, test = split_digits()
    hits = neighbour_accuracy(features_of(encoder), few_per_class(known, 5, seed), test)
    row = {"kind": "colapso", "name": name, "seed": seed, "accuracy": round(hits, 4)}
    return row | curve(done.history), encoder


def whole(seed: int) -> Iterator[dict]:
    """Lo que aprende el maestro entero."""
    row, encoder = pupil("entero", TEACHER, seed)
    yield row
    yield from measured("maestro", features_of(encoder), seed)


def change(name: str, seed: int) -> Iterator[dict]:
    """Qué le pasa al maestro con un cambio, o con muy pocos pasos."""
    yield pupil(name, (CHANGES | {"corto": SHORT})[name], seed)[0]


def repeated(few: LabelledImages, batch_size: int) -> LabelledImages:
    """Las mismas, repetidas hasta llenar un lote: cada una saldrá movida de otra manera."""
    return few.take(torch.arange(max(batch_size, len(few))) % len(few))


def supervised(name: str, per_class: int, seed: int) -> Iterator[dict]:
    """Un rival que no ha visto nada más que esas imágenes con su etiqueta."""
    recipe, (known, test) = RIVALS[name], split_digits()
    data = repeated(few_per_class(known, per_class, seed), recipe.batch_size)
    hits = image_accuracy(classification.train(recipe, seed, data=data).model, test)
    yield labelled(name, "de cero", seed, per_class, hits)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla: las entropías, y el acierto según las etiquetas que haya."""
    for seed in seeds:
        yield from floors(seed)
        yield from painter(seed)
        yield from whole(seed)
        for name in (*CHANGES, "corto"):
            yield from change(name, seed)
        for name in RIVALS:
            for per_class in PER_CLASS:
                yield from supervised(name, per_class, seed)
