"""Los segmentadores, del píxel a la máscara, medidos a igual tiempo de procesador.

Se vuelve a medir con `python -m tfcourse tablas segmentacion`.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.mask_losses import MaskWeights
from tfcourse.models import segmentation, setr
from tfcourse.segmentation_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    BETAS,
    MODELS,
    MUON_LR,
    N_TEST,
    TIERS,
    train_segmenter,
)

NAME = "segmentacion"
TIER, SECONDS = "apretadas", 30.0


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": SECONDS,
        "batch_size": BATCH_SIZE,
        "betas": list(BETAS),
        "rates": [MUON_LR, ADAM_LR],
        "n_test": N_TEST,
        "weights": asdict(MaskWeights()),
        "sizes": {"setr": setr.VARIANTS["mini"], "masks": segmentation.VARIANTS["mini"]},
        "scenes": asdict(TIERS[TIER]),
        "models": list(MODELS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y modelo."""
    for seed, model in itertools.product(seeds, MODELS):
        trained = train_segmenter(model, TIER, seed, cpu_seconds=SECONDS)
        row = {"model": model, "seed": seed, "updates": len(trained.history.loss)}
        yield row | trained.score()
