"""Ver sin etiquetas, en escenas: si lo que aprenden MAE y el maestro dice la figura o su color.

`python -m benchmarks autosupervision_escenas --escribir` entrena a los dos con cada semilla y las
mismas escenas de una figura, sin etiquetas, y pregunta dos cosas a los mismos rasgos. Los rivales,
un ViT igual y una red convolucional, tienen solo las escenas etiquetadas de una de las preguntas,
`RIVAL_LABELS` por clase, y leen con gradiente tantas imágenes como MAE y como el alumno, movidas de
la misma manera.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache

from benchmarks.self_supervision import coloured, learnt, probed, taught, unlearnt
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class
from tfcourse.datasets.scenes.asked_scenes import TEST_SEED
from tfcourse.datasets.scenes.lone_figures import QUESTIONS, SIDE, lone_figures
from tfcourse.vision.self_supervision.few_labels import Features

NAME = "autosupervision_escenas"
N_KNOWN, N_TEST, PER_CLASS = 2000, 500, (5, 20, 100)
RIVAL_LABELS = 20
# Lo mismo que se mueven las cifras, con el doble de píxeles de lado.
MOVES = Augmentation(shift=1.4, degrees=10.0, scale=0.1)
MASKED, TEACHER, RIVALS = coloured(
    SIDE, 250, MOVES, erased=4, pixel_mean=0.25, pixel_scale=0.16
)  # fmt: skip


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
            for how, hits in probed(features, few, test[question]):
                yield row(name, how, seed, question, per_class, hits)


def unlabelled(seed: int) -> Iterator[dict]:
    """Los suelos, MAE y el maestro: ninguno ve una respuesta al aprender."""
    images = scenes()[0]["figura"].images  # las dos preguntas tienen las mismas
    for some in (unlearnt(TEACHER, seed), learnt(MASKED, TEACHER, images, seed)):
        for name, features in some:
            yield from measured(name, features, seed)


def supervised(name: str, question: str, seed: int) -> dict:
    """Un rival que solo tiene unas escenas y la respuesta a una pregunta."""
    known, test = scenes()
    few = few_per_class(known[question], RIVAL_LABELS, seed)
    hits = taught(RIVALS[name], few, test[question], len(QUESTIONS[question]), seed)
    return row(name, "de cero", seed, question, RIVAL_LABELS, hits)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla, que cambia también qué escenas llevan etiqueta."""
    for seed in seeds:
        yield from unlabelled(seed)
        for name in RIVALS:
            for question in QUESTIONS:
                yield supervised(name, question, seed)
