"""Cifras nuevas con lo que una red convolucional sabe de otras: cinco aprendices.

Se mide con `python -m benchmarks hibridos --semillas 7 --escribir`.
"""

from collections.abc import Iterator, Sequence

from benchmarks.classification import training_of
from tfcourse.models.vit import VARIANTS
from tfcourse.vision.hierarchy.hybrid import (
    ADAPTATION,
    BACKBONE,
    LEARNERS,
    NEW,
    OLD,
    PER_CLASS,
    PRETRAINING,
    transfer,
)

NAME = "hibridos"


def settings() -> dict:
    """La receta de la comparación."""
    return {
        "old_new_per_class": [OLD, NEW, PER_CLASS],
        "backbone": BACKBONE,
        "pretraining": training_of(PRETRAINING),
        "adaptation": training_of(ADAPTATION),
        "vit": VARIANTS["aula"],
        "learners": list(LEARNERS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por aprendiz y semilla."""
    for seed in seeds:
        found = transfer(seed)
        for name, accuracy in found.accuracy.items():
            yield {"seed": seed, "learner": name, "accuracy": accuracy}
