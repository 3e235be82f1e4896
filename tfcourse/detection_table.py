"""La escalera de DETR a las anclas, medida a igual tiempo de procesador.

Se vuelve a medir con `python -m tfcourse tablas deteccion`.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.detection_recipes import (
    BATCH_SIZE,
    BETAS,
    LADDER,
    N_TEST,
    SHIPPED_SECONDS,
    TIERS,
    train_detector,
)
from tfcourse.models.detr import VARIANTS

NAME = "deteccion"
# Segundos de procesador: un tiempo para ver quién arranca y otro para ver quién llega.
SHORT, SECONDS = 15.0, 50.0
BUDGETS = SHORT, SECONDS


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": list(BUDGETS),
        "long_seconds": SHIPPED_SECONDS,
        "batch_size": BATCH_SIZE,
        "betas": list(BETAS),
        "n_test": N_TEST,
        "sizes": VARIANTS["mini"],
        "scenes": {name: asdict(config) for name, config in TIERS.items()},
        "ladder": {name: asdict(recipe) for name, recipe in LADDER.items()},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, tiempo y peldaño, en las figuras.

    La última es la del único entrenamiento largo que no viene con pesos: DETR en las cifras, con la
    primera semilla y el tiempo de los pesos del curso.
    """
    for seed in seeds:
        for seconds, step in itertools.product(BUDGETS, LADDER):
            yield _row(step, "figuras", seed, seconds)
    yield _row("+ auxiliares", "cifras", seeds[0], SHIPPED_SECONDS)


def _row(step: str, tier: str, seed: int, seconds: float) -> dict:
    trained = train_detector(LADDER[step], tier, seed, cpu_seconds=seconds)
    row = {"tier": tier, "step": step, "seed": seed, "cpu_seconds": seconds}
    return row | {"updates": len(trained.history.loss)} | trained.score()
