"""Ejercicio de código: puntuar con BM25 a partir de una tabla de cuentas."""

import math

import torch

from tfcourse.exercises.data import chance, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(counts, query, k1, b):
    """Documento a documento y palabra a palabra."""
    rows = counts.tolist()
    lengths = [sum(row) for row in rows]
    mean = sum(lengths) / len(rows)
    scores = []
    for row, length in zip(rows, lengths, strict=True):
        total = 0.0
        for word in query:
            with_it = sum(other[word] > 0 for other in rows)
            rare = math.log(1 + (len(rows) - with_it + 0.5) / (with_it + 0.5))
            total += rare * row[word] * (k1 + 1) / (row[word] + k1 * (1 - b + b * length / mean))
        scores.append(total)
    return torch.tensor(scores)


def _variant(saturated=True, relative=True, total=False, inverse=False):
    def scores(counts, query, k1, b):
        seen = counts[:, query]
        with_it = seen.sum(0) if total else (seen > 0).sum(0)
        rare = torch.log1p((len(counts) - with_it + 0.5) / (with_it + 0.5))
        length = counts.sum(1, keepdim=True)
        length = length / length.mean() if relative else length
        length = 1 / length if inverse else length
        weight = seen * (k1 + 1) / (seen + k1 * (1 - b + b * length)) if saturated else seen
        return (rare * weight).sum(1)

    return scores


def _case(seed, n_documents, n_words):
    def make():
        generator, random = seeded(seed), chance(seed)
        counts = torch.randint(0, 4, (n_documents, n_words), generator=generator).float()
        counts *= torch.rand(n_documents, n_words, generator=generator) < 0.5
        counts[:, 0] += 1
        query = random.sample(range(n_words), 3)
        return counts, query, random.choice((0.9, 1.2, 2.0)), random.choice((0.4, 0.75))

    return make


WEIGHTS = Exercise(
    Card(
        id="bm25-con-una-tabla",
        title="BM25 con una tabla",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="puntuar todos los documentos a la vez con la fórmula de BM25",
        hints=(
            "`counts[:, query]` deja solo las columnas de las palabras de la consulta.",
            "N_w es en cuántos documentos sale la palabra, y no cuántas veces: `(counts > 0)`. La "
            "longitud de un documento es la suma de su fila.",
            "Por columnas, la rareza; por filas, la longitud partida entre la media. Se "
            "multiplican y se suma por filas.",
        ),
    ),
    Task(
        function="bm25_scores",
        cases=(
            Case("6 documentos y 5 palabras", _case(0, 6, 5)),
            Case("9 documentos y 7 palabras", _case(1, 9, 7)),
            Case(
                "una palabra que no está en ninguno",
                lambda: (torch.tensor([[2.0, 0.0, 1.0], [1.0, 0.0, 4.0]]), [1, 2], 1.2, 0.75),
            ),
            example(torch.tensor([[2.0, 0.0], [1.0, 1.0]]), [0], 1.0, 0.0),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-saturar",
                "las veces que sale suman sin límite: falta la fracción que las satura",
                (_variant(saturated=False),),
            ),
            Mistake(
                "longitud-sin-media",
                "la longitud del documento se divide entre la longitud media",
                (_variant(relative=False),),
            ),
            Mistake(
                "veces-en-vez-de-documentos",
                "la rareza cuenta en cuántos documentos sale la palabra, y no cuántas veces",
                (_variant(total=True),),
            ),
            Mistake(
                "longitud-al-reves",
                "la longitud va al revés: un documento largo necesita más veces para sumar igual",
                (_variant(inverse=True),),
            ),
        ),
        differentiable=False,
    ),
)
