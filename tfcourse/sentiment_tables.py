"""La tabla del análisis de sentimiento: quién acierta qué, con cuántas etiquetas y a qué precio.

Se calcula con `python -m tfcourse tablas sentimiento_resenas` (casi media hora) y se guarda con su
huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.reviews import PHENOMENA, Review, review_split
from tfcourse.datasets.reviews.words import HELD_OUT_DOMAIN
from tfcourse.sentiment_recipes import (
    MODELS,
    RECIPES,
    Outcome,
    run_model,
)
from tfcourse.sentiment_texts import texts_and_labels

NAME = "sentimiento_resenas"
SIZES, N_TEST = (300, 1200, 4800), 1500


def hits_by_slice(reviews: Sequence[Review], guesses: torch.Tensor) -> dict[str, float]:
    """Acierto en total, por fenómeno, con palabras nuevas o sin ellas, y en el dominio nuevo."""
    right = [guess == review.label for guess, review in zip(guesses.tolist(), reviews, strict=True)]
    slices = {"accuracy": [True] * len(reviews)}
    slices |= {name: [r.phenomenon == name for r in reviews] for name in PHENOMENA}
    slices["palabra nueva"] = [r.new_word for r in reviews]
    slices["palabras vistas"] = [not r.new_word for r in reviews]
    slices["dominio nuevo"] = [r.domain == HELD_OUT_DOMAIN for r in reviews]
    return {
        name: sum(hit for hit, kept in zip(right, rows, strict=True) if kept) / max(1, sum(rows))
        for name, rows in slices.items()
    }


def costs(outcome: Outcome) -> dict:
    """Las columnas de coste de una fila."""
    return {
        "parameters": outcome.parameters,
        "epochs": outcome.epochs,
        "seconds": outcome.seconds,
        "latency": outcome.latency,
    }


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
