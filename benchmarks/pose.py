"""Regresión, SimCC y mapa de calor, a igual tiempo de procesador.

Se vuelve a medir con `python -m benchmarks pose`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.models.pose import HEADS, VARIANTS
from tfcourse.training.budget import CpuSeconds
from tfcourse.vision.pose.recipe import N_TEST, Recipe, train

NAME, SECONDS = "pose", 25.0
COMMON = Recipe()  # menos en la cabeza, todas son iguales


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": SECONDS,
        "batch_size": COMMON.batch_size,
        "betas": list(COMMON.betas),
        "muon_lr": COMMON.muon_lr,
        "adam_lr": COMMON.adam_lr,
        "n_test": N_TEST,
        "sizes": VARIANTS["aula"],
        "heads": list(HEADS),
        "figures": asdict(COMMON.figures),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y cabeza."""
    for seed in seeds:
        for head in HEADS:
            trained = train(Recipe(head), seed, CpuSeconds(SECONDS))
            row = {"head": head, "seed": seed, "updates": len(trained.history.loss)}
            yield row | trained.score()
