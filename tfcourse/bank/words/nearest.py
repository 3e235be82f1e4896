"""Ejercicio de código: encontrar los tres fallos de unas vecinas que parecen razonables."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_loops(table, word, k):
    """El coseno, pareja a pareja, sin álgebra de matrices."""

    def cosine(a, b):
        return float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))

    others = [row for row in range(len(table)) if row != word and bool(table[row].any())]
    return sorted(others, key=lambda row: -cosine(table[word], table[row]))[:k]


def _ranked(columns=False, zero=False, empty=False, *, score=None, keep=False):
    """Las vecinas con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def nearest(table, word, k):
        size = table.norm(dim=0 if columns else 1, keepdim=True)
        unit = table / size
        cosines = score(table, table[word]) if score else unit @ unit[word]
        if not empty:
            cosines = torch.where(table.any(dim=1), cosines, -math.inf)
        if not keep:
            cosines = cosines.clone()
            cosines[word] = 0.0 if zero else -math.inf
        return cosines.argsort(descending=True)[:k].tolist()

    return nearest


FAULTS = {
    "columnas": "se divide cada columna entre su longitud, y hay que dividir cada fila: una "
    "palabra es una fila",
    "cero": "a la propia palabra se le pone un 0, que es más que el coseno de las que apuntan al "
    "otro lado: ponle −∞",
    "vacias": "una fila de ceros no tiene dirección: su coseno es 0/0, y al ordenar NaN va delante",
}


def _case(n_words, width, word, k, seed, empty=()):
    """Vectores de longitudes muy desiguales, con columnas que también lo son."""

    def make():
        shapes = (n_words, width), (n_words, 1), (width,)
        directions, lengths, columns = random_tensors(*shapes, seed=seed)
        table = directions * (2 * lengths).exp() * columns.exp()
        table[list(empty)] = 0.0
        return table, word, k

    return make


def _alone():
    """Una palabra que apunta al lado contrario de todas las demás."""
    table = torch.tensor([[-3.0, -2.0], [1.0, 1.0], [2.0, 1.0], [1.0, 3.0], [5.0, 1.0]])
    return table, 0, 4


NEAREST = Exercise(
    Card(
        id="fallos-en-las-vecinas",
        title="Unas vecinas sospechosas",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar los fallos de una búsqueda por coseno que casi siempre parece buena",
        hints=(
            "Pide los cosenos, y no solo las vecinas: ¿alguno pasa de 1? ¿Alguno es NaN? ¿Dónde lo "
            "pone `argsort`?",
            "`dim=0` recorre las filas y deja una longitud por columna. Y el 0 no es el coseno más "
            "pequeño: el más pequeño es −1.",
            "Divide cada fila entre su longitud, con `dim=1`. En la palabra y en las filas que son "
            "todo ceros, −∞ antes de ordenar.",
        ),
    ),
    Task(
        function="nearest",
        cases=(
            Case("doce palabras, de vectores muy desiguales", _case(12, 4, 3, 4, seed=0)),
            Case("una fila de ceros", _case(9, 3, 1, 3, seed=1, empty=(0,))),
            Case("la última palabra, una sola vecina", _case(8, 5, 7, 1, seed=2)),
            Case("todas las demás", _case(6, 3, 2, 5, seed=3)),
            Case("apunta al lado contrario de todas", _alone),
            Case("varias filas de ceros", _case(30, 6, 11, 7, seed=4, empty=(0, 4, 29))),
            example(
                torch.tensor([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0], [2.0, 1.0], [-1.0, 1.0]]), 1, 3
            ),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _ranked),
            Mistake(
                "sin-normalizar",
                "has ordenado por el producto escalar: los vectores largos ganan siempre. Divide "
                "cada fila entre su longitud",
                (_ranked(score=lambda table, v: table @ v),),
            ),
            Mistake(
                "distancia",
                "has ordenado por la distancia entre los vectores: se pide el coseno, que no mira "
                "las longitudes",
                (_ranked(score=lambda table, v: -(table - v).norm(dim=1)),),
            ),
            Mistake(
                "ella-misma",
                "la palabra sale entre sus vecinas: quítala",
                (_ranked(keep=True),),
            ),
            Mistake(
                "vacias-con-cero",
                "a las filas de ceros les has puesto coseno 0, y así van por delante de las que "
                "apuntan al otro lado: no son vecinas de nadie",
                (
                    _ranked(
                        empty=True,
                        score=lambda t, v: t @ v / t.norm(dim=1).clamp_min(1e-12) / v.norm(),
                    ),
                ),
            ),
        ),
        differentiable=False,
    ),
)
