"""Ejercicio de código: juntar cuatro casillas en una."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))  # (fila, columna), en el orden del artículo
BY_ROWS = ((0, 0), (0, 1), (1, 0), (1, 1))


def _by_loops(x):
    """Cuadrado a cuadrado."""
    rows = []
    for top in range(0, x.shape[1], 2):
        row = [
            torch.cat([x[:, top + r, left + c] for r, c in CORNERS], dim=-1)
            for left in range(0, x.shape[2], 2)
        ]
        rows.append(torch.stack(row, dim=1))
    return torch.stack(rows, dim=1)


def _corners(order):
    return lambda x: torch.cat([x[:, r::2, c::2] for r, c in order], dim=-1)


def _halves(x):
    h, w = x.shape[1] // 2, x.shape[2] // 2
    return torch.cat([x[:, :h, :w], x[:, h:, :w], x[:, :h, w:], x[:, h:, w:]], dim=-1)


def _mean(x):
    return sum(x[:, r::2, c::2] for r, c in CORNERS) / 4


def _plain_reshape(x):
    return x.reshape(len(x), x.shape[1] // 2, x.shape[2] // 2, -1)


def _interleaved(order):
    return lambda x: torch.stack([x[:, r::2, c::2] for r, c in order], dim=-1).flatten(3)


def _case(count, rows, columns, width, seed=0):
    def make():
        generator = seeded(seed)
        return (torch.rand(count, rows, columns, width, generator=generator),)

    return make


MERGE = Exercise(
    Card(
        id="fundir-parches",
        title="Dos fallos al fundir parches",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encontrar los fallos de una fusión que tiene la forma buena",
        hints=(
            "x[:, 0::2, 0::2] son las casillas de filas y columnas pares.",
            "Hay cuatro recortes así, uno por esquina del cuadrado; únelos por el último eje.",
            "El orden es (0, 0), (1, 0), (0, 1), (1, 1): primero baja, después pasa de columna.",
        ),
    ),
    Task(
        function="merge_patches",
        cases=(
            Case("un solo cuadrado", _case(1, 2, 2, 2)),
            Case("cuatro cuadrados", _case(2, 4, 4, 3, seed=1)),
            Case("más ancho que alto", _case(1, 2, 6, 2, seed=2)),
            Case("más alto que ancho", _case(2, 8, 4, 1, seed=3)),
            example(torch.tensor([[[[1.0], [2.0]], [[3.0], [4.0]]]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "por-filas",
                "has recorrido el cuadrado por filas: aquí se baja primero y luego se cambia de "
                "columna",
                (_corners(BY_ROWS),),
            ),
            Mistake(
                "mitades",
                "has juntado las cuatro mitades del mapa: son las cuatro casillas de cada cuadrado",
                (_halves,),
            ),
            Mistake(
                "promediar",
                "has promediado las cuatro casillas: se ponen una detrás de otra, sin perder nada",
                (_mean,),
            ),
            Mistake(
                "solo-reshape",
                "has cambiado la forma sin mover los ejes: se mezclan casillas de la misma fila",
                (_plain_reshape,),
            ),
            Mistake(
                "entrelazados",
                "los números de las cuatro casillas están entrelazados: primero todos los de una",
                (_interleaved(CORNERS), _interleaved(BY_ROWS)),
            ),
        ),
    ),
)
