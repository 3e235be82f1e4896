"""Ejercicio de código: la atención con un token por columna."""

import torch

from tfcourse.exercises.data import random_case, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(q, k, v):
    columns = []
    for query in q.T:
        scores = [(key @ query / len(query) ** 0.5).item() for key in k.T]
        weights = torch.tensor(softmax_by_exp(scores), dtype=v.dtype)
        columns.append(sum(w * value for w, value in zip(weights, v.T, strict=True)))
    return torch.stack(columns, dim=1)


def _variant(scale=lambda d: d**0.5, dim=0, use_softmax=True):
    def attend(q, k, v):
        scores = k.T @ q / scale(q.shape[0])
        return v @ (scores.softmax(dim) if use_softmax else scores)

    return attend


def _transposed_scores(q, k, v):
    return v @ (q.T @ k / q.shape[0] ** 0.5).softmax(-1)


def _row_convention(q, k, v):
    return (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ v


COLUMNS = Exercise(
    Card(
        id="atencion-por-columnas",
        title="Un token por columna",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="leer el convenio de los textos de matemáticas sin equivocarse de eje",
        hints=(
            "Escribe al lado de cada matriz sus dos medidas. ¿Qué producto de `k` y `q` da una "
            "matriz con una columna por consulta?",
            "Los pesos de una consulta están en una columna y deben sumar 1: ¿qué eje recorre el "
            "softmax para que eso ocurra?",
            "scores = k.T @ q / √d tiene forma (Lk, Lq); el softmax va en dim=0, y `v` se pone a "
            "la izquierda.",
        ),
    ),
    Task(
        function="column_attention",
        cases=(
            Case("5 consultas y 7 claves", random_case((4, 5), (4, 7), (3, 7), seed=0)),
            Case("tantas consultas como claves", random_case((4, 6), (4, 6), (4, 6), seed=1)),
            Case("una sola consulta", random_case((8, 1), (8, 3), (2, 3), seed=2)),
            Case("una sola clave", random_case((2, 4), (2, 1), (5, 1), seed=3)),
            Case(
                "números de 64 bits",
                random_case((9, 2), (9, 5), (3, 5), seed=4, dtype=torch.float64),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "softmax-por-filas",
                "tus pesos suman 1 por filas: con un token por columna, los de una consulta están "
                "en una columna, así que el softmax va en `dim=0`",
                (_variant(dim=1),),
            ),
            Mistake(
                "sin-escalar",
                "te falta dividir los puntajes entre √d",
                (_variant(scale=lambda d: 1.0),),
            ),
            Mistake(
                "entre-d",
                "has dividido entre d, y es entre su raíz cuadrada",
                (_variant(scale=lambda d: d),),
            ),
            Mistake(
                "por-raiz",
                "has multiplicado por √d en lugar de dividir",
                (_variant(scale=lambda d: d**-0.5),),
            ),
            Mistake(
                "sin-softmax",
                "te falta el softmax: has mezclado los valores con los puntajes sin normalizar",
                (_variant(use_softmax=False),),
            ),
            Mistake(
                "puntajes-traspuestos",
                "tus puntajes están traspuestos: q.T @ k tiene una fila por consulta, y para poner "
                "`v` a la izquierda hace falta una columna por consulta",
                (_transposed_scores, lambda q, k, v: v @ (q.T @ k / q.shape[0] ** 0.5).softmax(0)),
            ),
            Mistake(
                "convenio-de-filas",
                "has escrito la versión por filas, softmax(q kᵀ) v: aquí cada token es una columna",
                (_row_convention,),
            ),
        ),
    ),
)
