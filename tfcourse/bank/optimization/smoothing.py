"""Ejercicio de código: etiquetas suavizadas."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _row_by_row(answers, n_symbols, epsilon):
    rows = []
    for answer in answers.tolist():
        row = [epsilon / n_symbols] * n_symbols
        row[answer] += 1 - epsilon
        rows.append(row)
    return torch.tensor(rows)


def _variant(right, others):
    def build(answers, n_symbols, epsilon):
        table = torch.full((len(answers), n_symbols), float(others(n_symbols, epsilon)))
        rows = torch.arange(len(answers))
        table[rows, answers] = float(right(n_symbols, epsilon))
        return table

    return build


def _case(answers, n_symbols, epsilon):
    return lambda: (torch.tensor(answers), n_symbols, epsilon)


def _random_case(n_answers, seed):
    def make():
        random = chance(seed)
        n_symbols, epsilon = random.randint(6, 12), random.randint(5, 35) / 100
        return _case(random.choices(range(n_symbols), k=n_answers), n_symbols, epsilon)()

    return make


SMOOTHING = Exercise(
    Card(
        id="etiquetas-suavizadas",
        title="Etiquetas suavizadas",
        kind="codigo",
        difficulty=2,
        minutes=10,
        points=2,
        objective="construir la distribución objetivo del suavizado, que sume 1",
        hints=(
            "Parte de una tabla llena con la misma cantidad en todas las casillas.",
            "A todas les toca ε/V, **también** a la correcta; a la correcta, además, 1 − ε.",
            "Cada fila tiene que sumar 1: compruébalo antes de enviar.",
        ),
    ),
    Task(
        function="smoothed_targets",
        cases=(
            Case("tres respuestas de cinco", _case([1, 4, 0], 5, 0.1)),
            Case("sin suavizar", _case([2, 2], 4, 0.0)),
            Case("mucho suavizado", _case([0, 1], 3, 0.6)),
            Case("una sola respuesta", _case([6], 8, 0.2)),
            Case("cuatro respuestas al azar", _random_case(4, seed=0)),
            example(torch.tensor([2]), 4, 0.2),
        ),
        reference=_row_by_row,
        mistakes=(
            Mistake(
                "no-suma-uno",
                "tus filas no suman 1: a la respuesta correcta también le toca su parte, ε/V, "
                "además de 1 − ε",
                (_variant(lambda v, e: 1 - e, lambda v, e: e / v),),
            ),
            Mistake(
                "entre-las-demas",
                "has repartido ε solo entre las equivocadas, V − 1: aquí se reparte entre las V, "
                "como en el artículo y en PyTorch",
                (_variant(lambda v, e: 1 - e, lambda v, e: e / (v - 1)),),
            ),
            Mistake(
                "sin-repartir",
                "le has dado ε entera a cada opción: hay que repartirla entre las V",
                (
                    _variant(lambda v, e: 1 - e, lambda v, e: e),
                    _variant(lambda v, e: 1.0, lambda v, e: e),
                ),
            ),
            Mistake(
                "sin-suavizar",
                "has puesto un 1 en la respuesta y nada en las demás: falta usar ε",
                (_variant(lambda v, e: 1.0, lambda v, e: 0.0),),
            ),
            Mistake(
                "al-reves",
                "has cambiado los papeles: la mayor parte, 1 − ε, es para la respuesta correcta",
                (_variant(lambda v, e: e + (1 - e) / v, lambda v, e: (1 - e) / v),),
            ),
        ),
        differentiable=False,
    ),
)
