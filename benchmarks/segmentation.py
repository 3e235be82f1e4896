"""Qué aporta cada pieza de Mask2Former: con ella y sin ella, a igual tiempo de procesador.

Se vuelve a medir con `python -m benchmarks segmentacion`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.models.segmentation import VARIANTS
from tfcourse.training.budget import CpuSeconds
from tfcourse.vision.segmentation.recipe import N_TEST, PIECES, Recipe, train

NAME, SECONDS = "segmentacion", 60.0
LADDER = {name: Recipe(name, tier="apretadas") for name in ("MaskFormer", *PIECES)}
COMMON = LADDER["MaskFormer"]  # en lo demás, todas son iguales


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": SECONDS,
        "batch_size": COMMON.batch_size,
        "betas": list(COMMON.betas),
        "muon_lr": COMMON.muon_lr,
        "adam_lr": COMMON.adam_lr,
        "n_test": N_TEST,
        "sizes": VARIANTS["mini"],
        "scenes": asdict(COMMON.scenes),
        "pieces": PIECES,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y modelo, en las escenas apretadas."""
    for seed in seeds:
        for name, recipe in LADDER.items():
            trained = train(recipe, seed, CpuSeconds(SECONDS))
            row = {"model": name, "seed": seed, "updates": len(trained.history.loss)}
            yield row | trained.score()
