"""Las tablas del análisis de sentimiento: quién acierta qué, con cuántas etiquetas y a qué precio.

Se calculan con `python -m tfcourse.sentiment_tables` (una media hora), o una sola, con su nombre
detrás, y se guardan con su huella.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.rated_snippets import binary_split
from tfcourse.datasets.reviews import PHENOMENA, Review, review_split
from tfcourse.datasets.reviews.words import HELD_OUT_DOMAIN
from tfcourse.sentiment_recipes import (
    ATTENTION,
    CONVOLUTION,
    MODELS,
    RECIPES,
    RECURRENT,
    SVM,
    Outcome,
    run_model,
)
from tfcourse.sentiment_texts import texts_and_labels

REVIEWS, SNIPPETS = "sentimiento_resenas", "sentimiento_cine"
SIZES, N_TEST = (300, 1200, 4800), 1500
SNIPPET_SIZES, N_SNIPPETS_TEST = (1000, 4000), 2000
VADER = "VADER"


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


def snippet_settings() -> dict:
    """La receta de la tabla de críticas de cine en inglés."""
    names = (RECURRENT, CONVOLUTION, ATTENTION)
    return {
        "recipes": {name: asdict(RECIPES[name]) for name in names},
        "sizes": list(SNIPPET_SIZES),
        "n_test": N_SNIPPETS_TEST,
    }


def run_reviews(seeds: Sequence[int], models: Sequence[str] = MODELS) -> Iterator[dict]:
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


def run_snippets(seeds: Sequence[int]) -> Iterator[dict]:
    """Lo mismo con críticas de cine en inglés, limpias, de dos clases, y VADER en su lengua."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    from tfcourse.tokenizers.cleaning import clean_text

    vader = SentimentIntensityAnalyzer()
    for seed in seeds:
        pool, test = binary_split(max(SNIPPET_SIZES), N_SNIPPETS_TEST, seed=seed)
        expected = torch.tensor([snippet.label for snippet in test])
        scores = [vader.polarity_scores(snippet.text)["compound"] for snippet in test]
        guessed = torch.tensor([int(score > 0) for score in scores])
        yield {"model": VADER, "size": 0, "seed": seed} | _accuracy(guessed, expected)
        texts = [clean_text(snippet.text) for snippet in test]
        for size in SNIPPET_SIZES:
            train = (
                [clean_text(snippet.text) for snippet in pool[:size]],
                torch.tensor([snippet.label for snippet in pool[:size]]),
            )
            for name in (SVM, RECURRENT, CONVOLUTION, ATTENTION):
                outcome = run_model(name, train, texts, seed, n_classes=2)
                row = {"model": name, "size": size, "seed": seed}
                yield row | costs(outcome) | _accuracy(outcome.guesses, expected)


def _accuracy(guesses: torch.Tensor, expected: torch.Tensor) -> dict[str, float]:
    return {"accuracy": float((guesses == expected).float().mean())}


def main(names: Sequence[str] = (REVIEWS, SNIPPETS)) -> None:
    """Calcula las tablas que se digan con tres semillas y las guarda."""
    from tfcourse.results import save_results

    torch.set_num_threads(1)
    tables = {REVIEWS: (run_reviews, settings), SNIPPETS: (run_snippets, snippet_settings)}
    for name in names:
        run, recipe = tables[name]
        rows = []
        for row in run(range(3)):
            rows.append(row)
            print(*row.values(), flush=True)
        print(f"guardado: {save_results(name, recipe(), rows)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or (REVIEWS, SNIPPETS))
