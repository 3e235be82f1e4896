"""Ejercicio de código: recuperar el orden de lectura a partir de una máscara de XLNet."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(mask):
    turns = []
    for i, row in enumerate(mask.tolist()):
        turns.append(sum(seen for j, seen in enumerate(row) if j != i))
    return torch.tensor(turns)


def _others(mask):
    return mask & ~torch.eye(len(mask), dtype=torch.bool)


def _mask(order, itself):
    return order[None, :] <= order[:, None] if itself else order[None, :] < order[:, None]


def _case(order, itself):
    return lambda: (_mask(torch.tensor(order), itself),)


def _random_case(length, itself, seed):
    return lambda: (_mask(torch.tensor(chance(seed).sample(range(length), length)), itself),)


TURNS = Exercise(
    Card(
        id="de-la-mascara-al-orden",
        title="De la máscara al orden",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="deducir de una máscara en qué orden se leyó",
        hints=(
            "La que se lee primero no ve a ninguna otra. ¿A cuántas ve la que se lee la segunda?",
            "El turno de una posición es a cuántas **otras** ve. Que se vea o no a sí misma "
            "distingue las dos corrientes, pero no cambia el turno.",
            "Quita la diagonal y suma cada fila.",
        ),
    ),
    Task(
        function="reading_turns",
        cases=(
            Case("consulta, cuatro posiciones", _case([2, 0, 3, 1], itself=False)),
            Case("contenido, cinco posiciones", _case([1, 4, 0, 2, 3], itself=True)),
            Case("de izquierda a derecha", _case([0, 1, 2], itself=True)),
            Case("consulta, siete al azar", _random_case(7, itself=False, seed=1)),
            Case("contenido, ocho al azar", _random_case(8, itself=True, seed=2)),
            example(torch.tensor([[True, True, False], [False, True, False], [True, True, True]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "con-ella-misma",
                "has contado también la diagonal: en la corriente de contenido cada una se ve a sí "
                "misma, y los turnos empezarían en 1",
                (lambda mask: mask.sum(dim=1),),
            ),
            Mistake(
                "siempre-menos-uno",
                "has restado uno siempre: en la corriente de consulta nadie se ve a sí mismo",
                (lambda mask: mask.sum(dim=1) - 1,),
            ),
            Mistake(
                "por-columnas",
                "has contado quién la mira, y se pide a quién mira ella: sale el orden del revés",
                (lambda mask: _others(mask).sum(dim=0), lambda mask: mask.sum(dim=0)),
            ),
            Mistake(
                "lista-de-posiciones",
                "has devuelto qué posición se lee en cada turno: se pide el turno de cada posición",
                (lambda mask: _others(mask).sum(dim=1).argsort(),),
            ),
            Mistake(
                "desde-uno",
                "los turnos se cuentan desde 0",
                (lambda mask: _others(mask).sum(dim=1) + 1,),
            ),
        ),
        differentiable=False,
    ),
)
