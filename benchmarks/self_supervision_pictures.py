"""Ver sin etiquetas, en dibujos: si lo que aprenden MAE y el maestro dice de qué grupo es un emoji.

`python -m benchmarks autosupervision_dibujos --escribir` entrena a los dos con los dibujos de
OpenMoji y cada semilla, sin etiquetas, y pregunta por el grupo de los reservados, que no tienen
ningún pariente entre los de entrenar. Los rivales, un ViT igual y una red convolucional, tienen
solo unos dibujos con su grupo, y leen con gradiente tantas imágenes como MAE y como el alumno,
movidas de la misma manera. Los dibujos van en negativo: así el fondo vale cero.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache

from benchmarks.self_supervision import coloured, learnt, probed, taught, unlearnt
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class
from tfcourse.datasets.pictures.named_pictures import MOVES
from tfcourse.datasets.pictures.openmoji import GROUP_NAMES, SIDE, Pictures, split_pictures
from tfcourse.vision.self_supervision.few_labels import Features

NAME = "autosupervision_dibujos"
N_TEST, SPLIT, PER_CLASS = 400, 0, (5, 20, 60)
RIVAL_LABELS = (20, 60)
MASKED, TEACHER, RIVALS = coloured(
    SIDE, 500, MOVES, erased=8, pixel_mean=0.165, pixel_scale=0.288
)  # fmt: skip


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "masked": asdict(MASKED),
        "teacher": asdict(TEACHER),
        "rivals": {name: asdict(recipe) for name, recipe in RIVALS.items()},
        "per_class": list(PER_CLASS),
        "rival_labels": list(RIVAL_LABELS),
        "split": [N_TEST, SPLIT],
    }


def in_negative(pictures: Pictures) -> LabelledImages:
    """Los dibujos sobre fondo negro, con su grupo."""
    return LabelledImages(1 - pictures.images, pictures.groups)


@cache
def drawings() -> tuple[LabelledImages, LabelledImages]:
    """Los de entrenar y los reservados."""
    known, test = split_pictures(N_TEST, SPLIT)
    return in_negative(known), in_negative(test)


def row(name: str, how: str, seed: int, per_class: int, accuracy: float) -> dict:
    """La fila de un acierto."""
    return {
        "name": name, "how": how, "seed": seed, "per_class": per_class,
        "accuracy": round(accuracy, 4),
    }  # fmt: skip


def about() -> dict:
    """Cuántos dibujos hay, y qué acierta quien dice siempre el grupo más común al entrenar."""
    known, test = drawings()
    commonest = known.labels.bincount().argmax()
    hits = float((test.labels == commonest).float().mean())
    return row("el más común", "nada", 0, 0, hits) | {"train": len(known), "test": len(test)}


def measured(name: str, features: Features, seed: int) -> Iterator[dict]:
    """Vecinos y sonda sobre unos rasgos, con cada número de etiquetas."""
    known, test = drawings()
    for per_class in PER_CLASS:
        few = few_per_class(known, per_class, seed)
        for how, hits in probed(features, few, test):
            yield row(name, how, seed, per_class, hits)


def floors(seed: int) -> Iterator[dict]:
    """Quien no ha aprendido nada: los píxeles, y un ViT con los pesos al azar."""
    for name, features in unlearnt(TEACHER, seed):
        yield from measured(name, features, seed)


def unlabelled(seed: int) -> Iterator[dict]:
    """MAE y el maestro: ninguno ve una etiqueta al aprender."""
    for name, features in learnt(MASKED, TEACHER, drawings()[0].images, seed):
        yield from measured(name, features, seed)


def supervised(name: str, per_class: int, seed: int) -> dict:
    """Un rival que solo tiene unos dibujos con su grupo."""
    known, test = drawings()
    few = few_per_class(known, per_class, seed)
    hits = taught(RIVALS[name], few, test, len(GROUP_NAMES), seed)
    return row(name, "de cero", seed, per_class, hits)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla, que cambia también qué dibujos llevan etiqueta."""
    yield about()
    for seed in seeds:
        yield from floors(seed)
        yield from unlabelled(seed)
        for name in RIVALS:
            for per_class in RIVAL_LABELS:
                yield supervised(name, per_class, seed)
