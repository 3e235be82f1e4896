"""A qué ritmo entrena cada núcleo de atención al buscador de agujas, en pasos por minuto.

Se mide con `python -m benchmarks nucleos --escribir`, en un procesador y con un hilo. Con este
ritmo se reparten los pasos de la carrera de la página: así es la misma en cualquier equipo.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from torch import nn

from tfcourse.datasets.puzzles.needles import Needles, needle_batches
from tfcourse.layers.kernels import KERNELS
from tfcourse.models.needles import NeedleConfig, NeedleFinder
from tfcourse.training import seed_everything

NAME = "nucleos"
LENGTHS = (256, 1024)  # las de los dos perfiles
BATCH_SIZE, REPEATS, MINUTE = 4, 12, 60.0
EXCEPT = ("fórmula", "bloques", "fija")  # no corren: otro de su familia ya lo hace


def settings() -> dict:
    """Todo lo que define la medida."""
    return {
        "kernels": [name for name in KERNELS if name not in EXCEPT],
        "sizes": [asdict(NeedleConfig(length)) for length in LENGTHS],
        "batch_size": BATCH_SIZE,
        "repeats": REPEATS,
        "threads": 1,
    }


def step_seconds(config: NeedleConfig, seed: int, repeats: int = REPEATS) -> float:
    """Segundos de procesador de un paso de entrenamiento: el mejor de varios."""
    seed_everything(seed)
    model = NeedleFinder(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    batches, best = needle_batches(BATCH_SIZE, config.length, seed), float("inf")
    for _ in range(repeats):
        needles = Needles(*next(batches))
        started = time.process_time()
        logits = model(*needles.inputs)
        optimizer.zero_grad()
        nn.functional.cross_entropy(logits.flatten(0, 1), needles.answers.flatten()).backward()
        optimizer.step()
        best = min(best, time.process_time() - started)
    return best


def measure(seeds: Sequence[int], repeats: int = REPEATS) -> Iterator[dict]:
    """Una fila por longitud, núcleo y semilla."""
    for seed in seeds:
        for length in LENGTHS:
            for kernel in settings()["kernels"]:
                spent = step_seconds(NeedleConfig(length, kernel), seed, repeats)
                steps = round(MINUTE / spent)
                yield {"length": length, "kernel": kernel, "seed": seed, "steps": steps}
