"""El emparejamiento que baila, con un añadido cada vez: cuántos objetos cambian de consulta.

Se vuelve a medir con `python -m benchmarks deteccion_parejas --semillas 5`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES
from tfcourse.models.detr import VARIANTS
from tfcourse.vision.anchors.owners import (
    BATCH_SIZE,
    N_STEPS,
    N_WATCHED,
    RATE,
    changes_of_owner,
)
from tfcourse.vision.detection.recipe import LADDER

NAME = "deteccion_parejas"
STEPS = {name: recipe for name, recipe in LADDER.items() if not recipe.two_stage}


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "steps": N_STEPS,
        "watched": N_WATCHED,
        "batch_size": BATCH_SIZE,
        "rate": RATE,
        "sizes": VARIANTS["mini"],
        "scenes": asdict(SHAPE_SCENES),
        "recipes": {name: asdict(recipe) for name, recipe in STEPS.items()},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y peldaño, sin las dos etapas."""
    for seed in seeds:
        for name, recipe in STEPS.items():
            yield {"step": name, "seed": seed, "moved": changes_of_owner(recipe, seed)}
