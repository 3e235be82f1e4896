"""Regresión, SimCC y mapa de calor, a igual tiempo de procesador.

Se vuelve a medir con `python -m tfcourse tablas pose`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.figures import ONE_FIGURE
from tfcourse.models.pose import HEADS, VARIANTS
from tfcourse.pose_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    BETAS,
    MUON_LR,
    N_TEST,
    PoseModel,
    new_pose_model,
    pose_loss,
    single_batches,
)
from tfcourse.timed import train_for, warmup_cosine

NAME, SECONDS = "pose", 25.0


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "cpu_seconds": SECONDS,
        "batch_size": BATCH_SIZE,
        "betas": list(BETAS),
        "muon_lr": MUON_LR,
        "adam_lr": ADAM_LR,
        "n_test": N_TEST,
        "sizes": VARIANTS["aula"],
        "heads": list(HEADS),
        "figures": asdict(ONE_FIGURE),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y cabeza."""
    for seed in seeds:
        for head in HEADS:
            model, optimizer = new_pose_model(head, seed)
            history = train_for(
                SECONDS, model, single_batches(BATCH_SIZE, seed), pose_loss,
                optimizer=optimizer, schedule=warmup_cosine(0.1, 0.0),
            )  # fmt: skip
            row = {"head": head, "seed": seed, "updates": len(history.loss)}
            yield row | PoseModel(model, history).score()
