"""Ejercicio de código: encontrar por qué una fusión por puestos no lo es."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_counting(first, second, k):
    """El puesto de un documento es 1 más cuántos puntúan más que él."""
    total = torch.zeros_like(first)
    for scores in (first, second):
        for place, own in enumerate(scores.tolist()):
            total[place] += 1 / (k + 1 + sum(other > own for other in scores.tolist()))
    return total


def _variant(twice=True, from_one=True, descending=True, summed=False):
    def fuse(first, second, k):
        total = torch.zeros_like(first)
        for scores in (first, second):
            order = scores.argsort(descending=descending)
            ranks = order.argsort() if twice else order
            total += scores if summed else 1 / (k + ranks + (1 if from_one else 0))
        return total

    return fuse


def _case(n_documents, seed, k):
    def make():
        return *random_tensors((n_documents,), (n_documents,), seed=seed), k

    return make


FUSED = Exercise(
    Card(
        id="el-puesto-y-el-orden",
        title="El puesto y el orden",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encontrar un fallo que solo se nota con algunos órdenes",
        hints=(
            "Escribe lo que da `argsort` con tres documentos que puntúan 1, 3 y 2, y compáralo con "
            "los puestos de cada uno.",
            "`argsort` dice qué documento va en cada puesto; hace falta lo contrario, qué puesto "
            "tiene cada documento.",
            "El orden del orden son los puestos: `order.argsort()`, y empiezan en 0.",
        ),
    ),
    Task(
        function="fuse",
        cases=(
            Case("5 documentos", _case(5, 0, 60.0)),
            Case("8 documentos", _case(8, 1, 1.0)),
            Case(
                "uno en los extremos de los dos",
                lambda: (torch.tensor([1.0, 3.0, 2.0]), torch.tensor([9.0, 7.0, 8.0]), 1.0),
            ),
            example(torch.tensor([5.0, 9.0, 7.0]), torch.tensor([0.2, 0.1, 0.3]), 1.0),
        ),
        reference=_by_counting,
        mistakes=(
            Mistake(
                "sigue-el-orden",
                "el fallo sigue ahí: `argsort` dice qué documento va en cada puesto, y hace falta "
                "el puesto de cada documento",
                (_variant(twice=False),),
            ),
            Mistake(
                "desde-cero",
                "los puestos empiezan en 1, y los tuyos, en 0",
                (_variant(from_one=False),),
            ),
            Mistake(
                "al-reves",
                "el primer puesto es el de mayor puntuación, y has empezado por la menor",
                (_variant(descending=False),),
            ),
            Mistake(
                "sumar-puntuaciones",
                "has sumado las puntuaciones, que no están en la misma escala",
                (_variant(summed=True),),
            ),
        ),
        differentiable=False,
    ),
)
