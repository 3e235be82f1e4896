"""Cómo se mide una opinión leída: el acierto por trozos del examen y lo que costó."""

from collections.abc import Sequence

from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.reviews import PHENOMENA, Review
from tfcourse.datasets.reviews.vocabulary import HELD_OUT_DOMAIN
from tfcourse.text.sentiment.recipe import Outcome


def hits_by_slice(reviews: Sequence[Review], guesses: Int[Tensor, "N"]) -> dict[str, float]:
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
    """Lo que costó: parámetros, vueltas, segundos por vuelta y latencia."""
    return {
        "parameters": outcome.parameters,
        "epochs": outcome.epochs,
        "seconds": outcome.seconds,
        "latency": outcome.latency,
    }
