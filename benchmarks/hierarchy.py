"""Un ViT, dos Swin y un ConvNeXt leen cifras grandes, a igual tiempo de procesador.

A iguales pasos, en `jerarquia_pasos`. Se mide con `python -m benchmarks jerarquia --escribir`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.models import convnext, swin
from tfcourse.training.budget import CpuSeconds
from tfcourse.vision.hierarchy.recipe import (
    LAYERS,
    N_TEST,
    PATCH,
    READERS,
    SCENE,
    Recipe,
    train,
)

NAME = "jerarquia"
SECONDS = 12.0
RIVALS = tuple(READERS)


def settings() -> dict:
    """La receta de la comparación larga."""
    return {
        "scene": asdict(SCENE),
        "readers": list(RIVALS),
        "swin": swin.VARIANTS["aula"],
        "convnext": convnext.VARIANTS["aula"],
        "patch_layers_batch": [PATCH, LAYERS, Recipe.batch_size],
        "rates": [Recipe.muon_lr, Recipe.adam_lr],
        "cpu_seconds": SECONDS,
        "n_test": N_TEST,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por red y semilla."""
    for seed in seeds:
        for name in RIVALS:
            reader = train(READERS[name], seed, CpuSeconds(SECONDS))
            steps = len(reader.history.loss)
            yield {"seed": seed, "reader": name, "steps": steps, "accuracy": reader.score(seed)}
