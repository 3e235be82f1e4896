"""DETR y las anclas a igual tiempo de procesador, en las figuras y en las cifras.

Se vuelve a medir con `python -m benchmarks deteccion`.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.models.detr import VARIANTS
from tfcourse.training.budget import CpuSeconds
from tfcourse.vision.detection.recipe import (
    BATCH_SIZE,
    N_TEST,
    RECIPES,
    TIERS,
    WEIGHTS_SECONDS,
    WITHOUT_SEPARATING,
    Recipe,
    train,
)

NAME = "deteccion"
# Segundos de procesador: un tiempo para ver quién arranca y otro para ver quién llega.
SHORT, SECONDS = 15.0, 50.0
BUDGETS = SHORT, SECONDS
STEPS = "DETR", "+ auxiliares", WITHOUT_SEPARATING
# En las cifras, que cuestan más: lotes pequeños, para dar más pasos, y más tiempo.
DIGIT_SECONDS, DIGIT_BATCH = 140.0, 8


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": list(BUDGETS),
        "long_seconds": WEIGHTS_SECONDS,
        "batch_size": BATCH_SIZE,
        "digits": [DIGIT_SECONDS, DIGIT_BATCH],
        "betas": list(Recipe.betas),
        "n_test": N_TEST,
        "sizes": VARIANTS["mini"],
        "scenes": {name: asdict(config) for name, config in TIERS.items()},
        "recipes": {name: asdict(RECIPES[name]) for name in STEPS},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, tiempo y receta, en las figuras; y por semilla, en las cifras.

    La última es la de DETR en las cifras con el lote y el tiempo de los pesos del curso.
    """
    for seed in seeds:
        for seconds, step in itertools.product(BUDGETS, STEPS):
            yield _row(step, "figuras", seed, seconds, BATCH_SIZE)
        for step in STEPS:
            yield _row(step, "cifras", seed, DIGIT_SECONDS, DIGIT_BATCH)
    yield _row("+ auxiliares", "cifras", seeds[0], WEIGHTS_SECONDS, BATCH_SIZE)


def _row(step: str, tier: str, seed: int, seconds: float, batch_size: int) -> dict:
    budget = CpuSeconds(seconds)
    detector = train(RECIPES[step], seed, budget, tier=tier, batch_size=batch_size)
    row = {"tier": tier, "step": step, "seed": seed, "cpu_seconds": seconds}
    return row | {"updates": len(detector.history.loss)} | detector.score()
