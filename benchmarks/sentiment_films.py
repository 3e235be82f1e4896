"""La tabla del análisis de sentimiento con críticas de cine en inglés, y VADER en su lengua.

Se calcula con `python -m benchmarks sentimiento_cine` (unos minutos; baja las críticas) y se
guarda con su huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.text.rated_snippets import binary_split
from tfcourse.text.sentiment.metrics import costs
from tfcourse.text.sentiment.recipe import (
    ATTENTION,
    CONVOLUTION,
    RECIPES,
    RECURRENT,
    SVM,
    run_model,
)
from tfcourse.tokenizers.cleaning import clean_text

NAME = "sentimiento_cine"
SIZES, N_TEST = (1000, 4000), 2000
VADER = "VADER"


def settings() -> dict:
    """La receta de la tabla de críticas de cine en inglés."""
    names = (RECURRENT, CONVOLUTION, ATTENTION)
    return {
        "recipes": {name: asdict(RECIPES[name]) for name in names},
        "sizes": list(SIZES),
        "n_test": N_TEST,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, tamaño y modelo, con textos limpios y dos clases; VADER, sin datos."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    vader = SentimentIntensityAnalyzer()
    for seed in seeds:
        pool, test = binary_split(max(SIZES), N_TEST, seed=seed)
        expected = torch.tensor([snippet.label for snippet in test])
        scores = [vader.polarity_scores(snippet.text)["compound"] for snippet in test]
        guessed = torch.tensor([int(score > 0) for score in scores])
        yield {"model": VADER, "size": 0, "seed": seed} | _accuracy(guessed, expected)
        texts = [clean_text(snippet.text) for snippet in test]
        for size in SIZES:
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
