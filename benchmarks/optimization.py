"""Qué recetas entrenan un Transformer de doce capas: la carrera entera, noventa entrenamientos.

Se calcula con `python -m benchmarks recetas_profundas --escribir` y se guarda con su huella.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.text.optimization.recipe import (
    BATCH_SIZE,
    BETAS,
    EPS,
    LENGTH,
    N_SYMBOLS,
    NORMS,
    OPTIMIZERS,
    PEAK,
    SIZES,
    STEPS,
    WARMUPS,
    Recipe,
    score,
    train,
)

NAME = "recetas_profundas"


def settings() -> dict:
    """Todo lo que define la carrera: si cambia algo, la tabla guardada deja de valer."""
    return {
        "steps": STEPS,
        "batch_size": BATCH_SIZE,
        "peak": PEAK,
        "betas": list(BETAS),
        "eps": EPS,
        "length": LENGTH,
        "n_symbols": N_SYMBOLS,
        "evaluation": "secuencias reservadas",
        "sizes": SIZES,
        "rates": {name: [round(rate(t), 6) for t in (0, 30, 99)] for name, rate in WARMUPS.items()},
    }


def run_recipes(recipes: list[Recipe], seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por receta y semilla; quien deja de dar números tiene pérdida infinita."""
    for recipe in recipes:
        for seed in seeds:
            try:
                measured = score(train(recipe, seed).model)
            except FloatingPointError:
                measured = {"loss": math.inf, "accuracy": 0.0}
            yield asdict(recipe) | {"seed": seed} | measured


def all_recipes() -> list[Recipe]:
    """Las treinta combinaciones."""
    return [Recipe(n, w, o) for n in NORMS for w in WARMUPS for o in OPTIMIZERS]


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """La tabla entera: las treinta recetas."""
    yield from run_recipes(all_recipes(), seeds)
