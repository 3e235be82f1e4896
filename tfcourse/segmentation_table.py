"""Qué aporta cada pieza de Mask2Former: con ella y sin ella, a igual tiempo de procesador.

Se vuelve a medir con `python -m tfcourse tablas segmentacion`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.models.segmentation import VARIANTS
from tfcourse.segmentation_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    BETAS,
    MUON_LR,
    N_TEST,
    PIECES,
    TIERS,
    train_segmenter,
)

NAME, TIER, SECONDS = "segmentacion", "apretadas", 60.0
LADDER = ("MaskFormer", *PIECES)


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": SECONDS,
        "batch_size": BATCH_SIZE,
        "betas": list(BETAS),
        "muon_lr": MUON_LR,
        "adam_lr": ADAM_LR,
        "n_test": N_TEST,
        "sizes": VARIANTS["mini"],
        "scenes": asdict(TIERS[TIER]),
        "pieces": PIECES,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y modelo, en las escenas apretadas."""
    for seed in seeds:
        for name in LADDER:
            trained = train_segmenter(name, TIER, seed, cpu_seconds=SECONDS)
            row = {"model": name, "seed": seed, "updates": len(trained.history.loss)}
            yield row | trained.score()
