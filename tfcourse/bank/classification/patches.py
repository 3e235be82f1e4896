"""Ejercicio de código: cortar imágenes en parches."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _unfold(images, size):
    """Con la operación de PyTorch que extrae ventanas."""
    return F.unfold(images, size, stride=size).transpose(1, 2)


def _grid(images, size):
    return images.unflatten(-2, (-1, size)).unflatten(-1, (-1, size))  # B C f p c q


def _plain_reshape(images, size):
    n = images.shape[-2] * images.shape[-1] // size**2
    return images.reshape(len(images), n, -1)


def _by_columns(images, size):
    return _grid(images, size).permute(0, 4, 2, 1, 3, 5).flatten(3).flatten(1, 2)


def _turned(images, size):
    return _grid(images, size).permute(0, 2, 4, 1, 5, 3).flatten(3).flatten(1, 2)


def _channel_last(images, size):
    return _grid(images, size).permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2)


def _by_columns_and_channel_last(images, size):
    return _grid(images, size).permute(0, 4, 2, 3, 5, 1).flatten(3).flatten(1, 2)


def _transposed(images, size):
    return F.unfold(images, size, stride=size)


def _first_channel(images, size):
    return _unfold(images[:, :1], size)


def _overlapping(images, size):
    return F.unfold(images, size, stride=1).transpose(1, 2)


def _case(count, channels, height, width, size, seed=0):
    def make():
        generator = seeded(seed)
        return torch.rand(count, channels, height, width, generator=generator), size

    return make


PATCHES = Exercise(
    Card(
        id="cortar-en-parches",
        title="Dos fallos al cortar en parches",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar los fallos de un corte que tiene la forma buena",
        hints=(
            "Parte cada lado en dos ejes: el alto, en (filas, P); el ancho, en (columnas, P).",
            "Con unflatten(-1, (-1, size)) se parte un eje. Después, permute deja juntas las filas "
            "y columnas de la rejilla, y detrás canal, fila y columna de dentro.",
            "El orden final de los ejes es (B, filas, columnas, C, P, P); acaba con dos flatten.",
        ),
    ),
    Task(
        function="to_patches",
        cases=(
            Case("un canal, cuatro parches", _case(1, 1, 4, 4, 2)),
            Case("tres canales", _case(2, 3, 8, 8, 4, seed=1)),
            Case("más ancha que alta", _case(2, 2, 4, 12, 2, seed=2)),
            Case("más alta que ancha", _case(1, 3, 9, 6, 3, seed=3)),
            Case("un solo parche", _case(2, 2, 4, 4, 4, seed=4)),
            Case("parches de un píxel", _case(1, 3, 2, 3, 1, seed=5)),
            example(torch.tensor([[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]]]), 2),
        ),
        reference=_unfold,
        mistakes=(
            Mistake(
                "solo-reshape",
                "has cambiado la forma sin mover los ejes: cada «parche» es un trozo de fila; hace "
                "falta permute",
                (_plain_reshape,),
            ),
            Mistake(
                "por-columnas",
                "recorres la rejilla por columnas: va por filas, de izquierda a derecha",
                (_by_columns, _by_columns_and_channel_last),
            ),
            Mistake(
                "girados",
                "dentro de cada parche has puesto la columna antes que la fila: está traspuesto",
                (_turned,),
            ),
            Mistake(
                "canal-al-final",
                "has puesto el canal al final: dentro del parche va el primero",
                (_channel_last,),
            ),
            Mistake(
                "ejes-cambiados",
                "te falta trasponer: primero el número de parche y después sus números",
                (_transposed,),
            ),
            Mistake(
                "un-canal",
                "solo has usado el primer canal: un parche lleva los de todos",
                (_first_channel,),
            ),
            Mistake(
                "se-pisan",
                "los parches se pisan: la zancada es el lado del parche",
                (_overlapping,),
            ),
        ),
    ),
)
