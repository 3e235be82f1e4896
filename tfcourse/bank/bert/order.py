"""Ejercicio de código: la máscara de la corriente de consulta de XLNet."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(order):
    length = len(order)
    rows = [[bool(order[j] < order[i]) for j in range(length)] for i in range(length)]
    return torch.tensor(rows)


def _compare(compare, turns=lambda order: order):
    def mask(order):
        turn = turns(order)
        return compare(turn[:, None], turn[None, :])

    return mask


def _positions(order):
    """Quien lee `order` como la lista de posiciones, y no como el turno de cada una."""
    return order.argsort()


def _case(*order):
    return lambda: (torch.tensor(order),)


def _random_case(length, seed):
    return lambda: (torch.tensor(chance(seed).sample(range(length), length)),)


ORDER_MASK = Exercise(
    Card(
        id="mascara-de-un-orden",
        title="Leer en otro orden",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="convertir un orden de lectura en una máscara de atención",
        hints=(
            "La fila i dice a quién puede mirar la posición i; la columna j, quién es mirado.",
            "i puede mirar a j si el turno de j es menor que el de i.",
            "order[None, :] son los turnos de las columnas y order[:, None], los de las filas.",
        ),
    ),
    Task(
        function="query_mask",
        cases=(
            Case("cuatro posiciones", _case(2, 0, 3, 1)),
            Case("cinco posiciones", _case(1, 4, 0, 2, 3)),
            Case("de izquierda a derecha", _case(0, 1, 2)),
            Case("siete posiciones en un orden al azar", _random_case(7, seed=1)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "se-ve-a-si-misma",
                "cada posición se ve a sí misma: adivinaría el token que está leyendo",
                (_compare(lambda rows, columns: columns <= rows),),
            ),
            Mistake(
                "traspuesta",
                "has cambiado filas y columnas: la fila es quien mira",
                (_compare(lambda rows, columns: columns > rows),),
            ),
            Mistake(
                "causal",
                "has hecho la máscara causal de siempre: no depende del orden que se pide",
                (
                    lambda order: torch.ones(len(order), len(order)).tril(-1).bool(),
                    lambda order: torch.ones(len(order), len(order)).tril().bool(),
                ),
            ),
            Mistake(
                "lista-de-posiciones",
                "has leído `order` como la lista de posiciones en el orden en que se leen: es el "
                "turno de cada posición",
                (
                    _compare(lambda rows, columns: columns < rows, _positions),
                    _compare(lambda rows, columns: columns <= rows, _positions),
                ),
            ),
            Mistake(
                "al-reves",
                "True significa «puede mirar»: la tuya dice a quién no puede mirar",
                (_compare(lambda rows, columns: columns >= rows),),
            ),
            Mistake(
                "todos-menos-ella",
                "has dejado que mire a todas menos a sí misma: entre las de turno posterior están "
                "las que aún no se han leído",
                (_compare(lambda rows, columns: columns != rows),),
            ),
        ),
        differentiable=False,
    ),
)
