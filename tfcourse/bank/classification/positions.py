"""Ejercicio de código: llevar las posiciones a otra rejilla."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reference(table, grid, new_grid):
    """Con las matrices de interpolación lineal de cada eje, a mano."""
    rows, columns = (_weights(old, new) for old, new in zip(grid, new_grid, strict=True))
    moved = torch.einsum("ri,cj,ijd->rcd", rows, columns, table[1:].view(*grid, -1))
    return torch.cat([table[:1], moved.flatten(0, 1)])


def _weights(old, new):
    """Cuánto pone cada sitio viejo en cada nuevo; los extremos coinciden."""
    matrix = torch.zeros(new, old)
    for place in range(new):
        at = place * (old - 1) / (new - 1)
        below = min(int(at), old - 2)
        matrix[place, below] = 1 - (at - below)
        matrix[place, below + 1] = at - below
    return matrix


def _variant(first=1, drop=False, swap=False, corners=True, mode="bilinear", order=True):
    def resize(table, grid, new_grid):
        patches = table[first:]
        if first == 0:
            patches = patches[: grid[0] * grid[1]]
        sizes = grid[::-1] if swap else grid
        image = (patches.T if order else patches).reshape(1, -1, *sizes)
        options = {} if mode == "nearest" else {"align_corners": corners}
        new = F.interpolate(image, size=tuple(new_grid), mode=mode, **options)
        moved = new[0].flatten(1).T
        return moved if drop else torch.cat([table[:1], moved])

    return resize


def _case(grid, new_grid, width=3, seed=0):
    def make():
        generator = seeded(seed)
        rows = 1 + grid[0] * grid[1]
        return torch.randn(rows, width, generator=generator), grid, new_grid

    return make


RESIZED = Exercise(
    Card(
        id="posiciones-a-otro-tamano",
        title="Posiciones a otro tamaño",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="interpolar una tabla de posiciones como si fuera una imagen",
        hints=(
            "Separa la primera fila: el token de clase no está en ningún sitio.",
            "Las demás filas son una imagen con un canal por componente: su forma es (1, D, filas, "
            "columnas), así que antes de darles forma hay que trasponer.",
            "F.interpolate con mode='bilinear' y align_corners=True; a la vuelta, aplana, traspón "
            "y vuelve a poner delante el token de clase.",
        ),
    ),
    Task(
        function="stretch_positions",
        cases=(
            Case("la misma rejilla", _case((3, 3), (3, 3))),
            Case("el doble", _case((2, 2), (4, 4), seed=1)),
            Case("solo más ancha", _case((2, 3), (2, 5), seed=2)),
            Case("más pequeña", _case((4, 4), (2, 3), seed=3)),
            Case("una rejilla alargada", _case((2, 4), (5, 6), width=2, seed=4)),
            example(torch.tensor([[9.0], [0.0], [2.0], [4.0], [6.0]]), (2, 2), (2, 3)),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "clase-interpolada",
                "has interpolado también el token de clase: quítalo antes y devuélvelo al final",
                (_variant(first=0),),
            ),
            Mistake(
                "clase-perdida",
                "has perdido el token de clase: vuelve a ponerlo delante",
                (_variant(drop=True),),
            ),
            Mistake(
                "filas-por-columnas",
                "has cambiado las filas de la rejilla por las columnas",
                (_variant(swap=True),),
            ),
            Mistake(
                "sin-trasponer",
                "has dado forma de imagen sin trasponer: se mezclan posiciones con componentes",
                (_variant(order=False),),
            ),
            Mistake(
                "esquinas",
                "las esquinas no coinciden: hace falta align_corners=True",
                (_variant(corners=False),),
            ),
            Mistake(
                "al-mas-cercano",
                "copias la posición más cercana: se pide interpolar entre las vecinas",
                (_variant(mode="nearest"),),
            ),
        ),
    ),
)
