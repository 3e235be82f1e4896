"""De DETR a las anclas, una cosa cada vez y todas con los mismos pasos.

Se vuelve a medir con `python -m benchmarks deteccion_escalera`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.detr import VARIANTS
from tfcourse.training.budget import Steps
from tfcourse.vision.detection.recipe import BATCH_SIZE, N_TEST, RECIPES, TIERS, Recipe, train

NAME, TIER = "deteccion_escalera", "figuras"
STEPS = 300


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "steps": STEPS,
        "batch_size": BATCH_SIZE,
        "betas": list(Recipe.betas),
        "n_test": N_TEST,
        "sizes": VARIANTS["mini"],
        "scenes": asdict(TIERS[TIER]),
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta: los peldaños y, al final, todo menos separar."""
    for seed in seeds:
        for name, recipe in RECIPES.items():
            detector = train(recipe, seed, Steps(STEPS), tier=TIER)
            row = {"step": name, "seed": seed, "parameters": n_parameters(detector.model)}
            yield row | detector.score()
