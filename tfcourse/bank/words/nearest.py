"""Ejercicio de código: las vecinas de una palabra, por el coseno."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(table, word, k):
    """El coseno, pareja a pareja, sin álgebra de matrices."""

    def cosine(a, b):
        return float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))

    others = [row for row in range(len(table)) if row != word]
    return sorted(others, key=lambda row: -cosine(table[word], table[row]))[:k]


def _ranked(table, word, k, score, *, skip=True):
    order = score(table, table[word]).argsort(descending=True).tolist()
    return [row for row in order if row != word or not skip][:k]


def _product(table, vector):
    return table @ vector


def _cosine(table, vector):
    return torch.nn.functional.cosine_similarity(table, vector[None], dim=1)


def _minus_distance(table, vector):
    return -(table - vector).norm(dim=1)


def _case(n_words, width, word, k, seed):
    def make():
        directions, lengths = random_tensors((n_words, width), (n_words, 1), seed=seed)
        return directions * (2 * lengths).exp(), word, k

    return make


NEAREST = Exercise(
    Card(
        id="vecinas",
        title="Las vecinas de una palabra",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="buscar en una tabla los vectores que apuntan hacia donde apunta uno",
        hints=(
            "El coseno de dos vectores es su producto escalar entre el producto de sus longitudes.",
            "Divide cada fila entre su longitud: entonces todos los cosenos son un solo producto, "
            "la tabla por la fila de la palabra.",
            "La vecina más cercana de una palabra es ella misma: pon −∞ en su sitio antes de "
            "ordenar de mayor a menor.",
        ),
    ),
    Task(
        function="nearest",
        cases=(
            Case("doce palabras, de vectores muy desiguales", _case(12, 4, 3, 4, seed=0)),
            Case("la primera palabra", _case(9, 3, 0, 3, seed=1)),
            Case("la última palabra, una sola vecina", _case(8, 5, 7, 1, seed=2)),
            Case("todas las demás", _case(6, 3, 2, 5, seed=3)),
            Case("muchas palabras", _case(40, 6, 11, 7, seed=4)),
            example(torch.tensor([[1.0, 0.0], [9.0, 9.0], [2.0, 1.0], [-1.0, 0.0]]), 0, 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-normalizar",
                "has ordenado por el producto escalar: los vectores largos ganan siempre. Divide "
                "cada fila entre su longitud",
                (lambda table, word, k: _ranked(table, word, k, _product),),
            ),
            Mistake(
                "ella-misma",
                "la palabra sale entre sus vecinas: quítala",
                (lambda table, word, k: _ranked(table, word, k, _cosine, skip=False),),
            ),
            Mistake(
                "distancia",
                "has ordenado por la distancia entre los vectores: se pide el coseno, que no mira "
                "las longitudes",
                (lambda table, word, k: _ranked(table, word, k, _minus_distance),),
            ),
            Mistake(
                "las-mas-lejanas",
                "van de menor a mayor coseno: se piden las más parecidas",
                (lambda table, word, k: _ranked(-table, word, k, lambda t, v: _cosine(t, -v)),),
            ),
            Mistake(
                "valor-absoluto",
                "has tomado el coseno sin su signo: apuntar al revés no es parecerse",
                (lambda table, word, k: _ranked(table, word, k, lambda t, v: _cosine(t, v).abs()),),
            ),
        ),
        differentiable=False,
    ),
)
