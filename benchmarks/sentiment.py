"""La tabla del análisis de sentimiento: quién acierta qué, con cuántas etiquetas y a qué precio.

Se calcula con `python -m benchmarks sentimiento_resenas` (casi media hora) y se guarda con su
huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.reviews import review_split
from tfcourse.text.sentiment.metrics import costs, hits_by_slice
from tfcourse.text.sentiment.recipe import (
    MODELS,
    RECIPES,
    run_model,
)
from tfcourse.text.sentiment.texts import texts_and_labels

NAME = "sentimiento_resenas"
SIZES, N_TEST = (300, 1200, 4800), 1500


def settings() -> dict:
    """La receta de la tabla de reseñas."""
    return {
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "sizes": list(SIZES),
        "n_test": N_TEST,
    }


def measure(seeds: Sequence[int], models: Sequence[str] = MODELS) -> Iterator[dict]:
    """Una fila por semilla, tamaño, limpieza y modelo. La semilla cambia datos y pesos."""
    for seed in seeds:
        pool, test = review_split(max(SIZES), N_TEST, seed=seed)
        for size in SIZES:
            for clean in (False, True):
                train = texts_and_labels(pool[:size], clean)
                texts, _ = texts_and_labels(test, clean)
                for name in models:
                    outcome = run_model(name, train, texts, seed)
                    row = {"model": name, "size": size, "clean": clean, "seed": seed}
                    yield row | costs(outcome) | hits_by_slice(test, outcome.guesses)
