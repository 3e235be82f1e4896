"""Ejercicio de código: juntar cada cuadrado de parches vecinos en un token más ancho."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(states, factor):
    """Cuadrado a cuadrado, con el número de cada parche."""
    side = int(len(states[0]) ** 0.5)
    rows = []
    for up in range(0, side, factor):
        for left in range(0, side, factor):
            places = [(up + i) * side + left + j for i in range(factor) for j in range(factor)]
            rows.append(torch.cat([states[:, place] for place in places], dim=-1))
    return torch.stack(rows, dim=1)


def _grid(states, factor):
    side = int(states.shape[1] ** 0.5)
    return states.reshape(len(states), side // factor, factor, side // factor, factor, -1)


def _ordered(order, start):
    def joined(states, factor):
        return _grid(states, factor).permute(0, *order).flatten(start).flatten(1, 2)

    return joined


def _in_a_row(states, factor):
    return states.reshape(len(states), -1, factor**2 * states.shape[-1])


def _averaged(states, factor):
    return _grid(states, factor).mean(dim=(2, 4)).flatten(1, 2)


def _first(states, factor):
    return _grid(states, factor)[:, :, 0, :, 0].flatten(1, 2)


def _case(n, side, width, factor, seed, dtype=torch.float32):
    make = random_case((n, side * side, width), seed=seed, dtype=dtype)
    return lambda: (*make(), factor)


NEIGHBOURS = Exercise(
    Card(
        id="juntar-vecinos",
        title="Juntar vecinos",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="reducir los tokens de una imagen sin perder ningún número",
        hints=(
            "Devuelve a los tokens su rejilla, con `reshape(B, filas, columnas, D)`, y parte cada "
            "lado en dos ejes: en qué cuadrado y en qué sitio dentro de él.",
            "Con los ejes `(B, R, r, C, c, D)`, lleva juntos los dos que dicen el cuadrado y, "
            "detrás, los dos que dicen el sitio: `permute(0, 1, 3, 2, 4, 5)`.",
            "Los tres últimos ejes, aplanados, son el token ancho; los dos de cuadrado, aplanados, "
            "los tokens, por filas.",
        ),
    ),
    Task(
        function="joined",
        cases=(
            Case("4 × 4 parches, de dos en dos", _case(2, 4, 3, 2, 0)),
            Case("6 × 6 parches, de tres en tres", _case(3, 6, 2, 3, 1)),
            Case("6 × 6 parches, de dos en dos, de 64 bits", _case(1, 6, 5, 2, 2, torch.float64)),
            Case("todos juntos", _case(2, 3, 2, 3, 3)),
            Case("sin juntar nada", _case(2, 3, 4, 1, 4)),
            example(torch.arange(16.0).view(1, 16, 1), 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "vecinos-en-la-lista",
                "has juntado tokens seguidos de la lista, que están en la misma fila: un cuadrado "
                "toma de varias",
                (_in_a_row,),
            ),
            Mistake(
                "columnas-antes",
                "los cuadrados van por filas, como los parches, y los tuyos van por columnas",
                (_ordered((3, 1, 2, 4, 5), 3),),
            ),
            Mistake(
                "dentro-por-columnas",
                "dentro de cada cuadrado, primero los de arriba, de izquierda a derecha",
                (_ordered((1, 3, 4, 2, 5), 3),),
            ),
            Mistake(
                "numero-antes",
                "dentro del token van todos los números de un parche y después los del siguiente",
                (_ordered((1, 3, 5, 2, 4), 3),),
            ),
            Mistake(
                "la-media",
                "has hecho la media: no se pierde ningún número, se ponen todos en fila",
                (_averaged,),
            ),
            Mistake(
                "uno-de-cada",
                "te has quedado con un parche de cada cuadrado: se guardan todos",
                (_first,),
            ),
        ),
    ),
)
