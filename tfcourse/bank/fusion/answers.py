"""Ejercicio abierto: juntar respuestas en lugar de tokens, y cuándo deja de valer."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(first, second, prior):
    rows = []
    for p, q in zip(first, second, strict=True):
        row = torch.stack([a * b / c for a, b, c in zip(p, q, prior, strict=True)])
        rows.append(row / row.sum())
    return torch.stack(rows)


def _variant(power=-1.0, normalize=True):
    def combine(first, second, prior):
        total = first * second * prior**power
        return total / total.sum(dim=1, keepdim=True) if normalize else total

    return combine


def _mean(first, second, prior):
    return (first + second) / 2


def _most_sure(first, second, prior):
    sure = first.amax(1, keepdim=True) >= second.amax(1, keepdim=True)
    return torch.where(sure, first, second)


def _by_columns(first, second, prior):
    total = first * second / prior
    return total / total.sum(dim=0, keepdim=True)


def _case(n, k, seed, uniform=False):
    def make():
        g = seeded(seed)
        first, second = torch.randn(2, n, k, generator=g).softmax(-1).unbind(0)
        prior = torch.randn(k, generator=g).mul(0 if uniform else 1.5).softmax(0)
        return first, second, prior

    return make


ANSWERS = Exercise(
    Card(
        id="juntar-respuestas",
        title="Juntar respuestas",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="escribir la fusión tardía y averiguar cuándo deja de valer",
        hints=(
            "Multiplica las dos probabilidades de cada clase.",
            "Cada una ya lleva dentro la frecuencia de la clase: divide una vez entre `prior`.",
            "Cada fila tiene que sumar 1: divide entre su suma, con `keepdim=True`.",
        ),
    ),
    Task(
        function="combine",
        cases=(
            Case("dos parejas y tres clases", _case(2, 3, 0)),
            Case("cinco clases", _case(4, 5, 1)),
            Case("todas las clases igual de frecuentes", _case(3, 4, 2, uniform=True)),
            Case("una sola pareja", _case(1, 4, 3)),
            example(
                torch.tensor([[0.5, 0.5]]), torch.tensor([[0.9, 0.1]]), torch.tensor([0.5, 0.5])
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "media",
                "eso es la media: dos dudas distintas siguen siendo una duda; multiplica",
                (_mean,),
            ),
            Mistake(
                "sin-dividir",
                "la frecuencia de la clase está contada dos veces: divide entre `prior`",
                (_variant(power=0.0),),
            ),
            Mistake(
                "multiplica-la-frecuencia",
                "has multiplicado por `prior`: ya está dos veces, y hay que quitarla una",
                (_variant(power=1.0),),
            ),
            Mistake(
                "sin-normalizar",
                "cada fila tiene que sumar 1: divide entre su suma",
                (_variant(normalize=False), _variant(power=0.0, normalize=False)),
            ),
            Mistake(
                "por-columnas",
                "has normalizado cada columna: se reparte entre las clases de cada pareja",
                (_by_columns,),
            ),
            Mistake(
                "el-mas-seguro",
                "te has quedado con el más seguro de los dos: el otro también dice algo",
                (_most_sure,),
            ),
        ),
    ),
)
