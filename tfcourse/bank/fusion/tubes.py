"""Ejercicio de código: cortar un vídeo en tubos."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(video, frames, side):
    _, n_frames, height, width = video.shape
    rows = []
    for t in range(0, n_frames, frames):
        for y in range(0, height, side):
            for x in range(0, width, side):
                rows.append(video[:, t : t + frames, y : y + side, x : x + side].flatten())
    return torch.stack(rows)


def _cells(video, frames, side):
    """(C, instantes, t, filas, h, columnas, w)."""
    x = video.unflatten(1, (-1, frames)).unflatten(3, (-1, side))
    return x.unflatten(5, (-1, side))


def _order(*axes):
    def tubes(video, frames, side):
        moved = _cells(video, frames, side).permute(*axes)
        return moved.reshape(-1, video.shape[0] * frames * side * side)

    return tubes


def _plain_reshape(video, frames, side):
    return video.reshape(-1, video.shape[0] * frames * side * side)


def _first_frame(video, frames, side):
    return _by_loops(video[:, ::frames], 1, side)


def _frame_by_frame(video, frames, side):
    return _by_loops(video, 1, side)


def _as_given(video, frames, side):
    """El código del enunciado."""
    return _order(3, 1, 5, 2, 0, 4, 6)(video, frames, side)


def _case(shape, frames, side, seed):
    def make():
        return torch.randn(*shape, generator=seeded(seed)), frames, side

    return make


TUBES = Exercise(
    Card(
        id="cortar-en-tubos",
        title="Dos fallos al cortar en tubos",
        kind="codigo",
        difficulty=3,
        minutes=18,
        points=3,
        objective="encontrar los fallos de un corte que tiene la forma buena",
        hints=(
            "Parte cada eje en dos: cuántos tubos caben y cuánto mide cada uno. `unflatten` ayuda.",
            "Con los siete ejes a la vista, pon delante instantes, filas y columnas de tubos.",
            "Dentro de cada tubo: canal, instante, fila y columna. Después, aplana los dos grupos.",
        ),
    ),
    Task(
        function="tubes",
        cases=(
            Case("un canal, dos por dos", _case((1, 4, 4, 4), 2, 2, 0)),
            Case("tres canales", _case((3, 2, 4, 6), 2, 2, 1)),
            Case("más ancho que alto", _case((2, 6, 2, 8), 3, 2, 2)),
            Case("un solo tubo", _case((2, 2, 3, 3), 2, 3, 3)),
            example(torch.tensor([[[[1.0, 2.0]], [[3.0, 4.0]]]]), 2, 1),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "reshape-a-secas",
                "has cambiado la forma sin mover los ejes: se mezclan píxeles de sitios distintos",
                (_plain_reshape,),
            ),
            Mistake(
                "canal-al-final",
                "dentro de cada tubo has dejado el canal para el final: va delante, como en los "
                "pesos de una convolución",
                (_order(1, 3, 5, 2, 4, 6, 0),),
            ),
            Mistake(
                "instante-el-ultimo",
                "has recorrido los tubos por filas y columnas antes que por instantes",
                (_order(3, 5, 1, 0, 2, 4, 6),),
            ),
            Mistake(
                "por-columnas",
                "has recorrido los tubos por columnas: van por filas",
                (_order(1, 5, 3, 0, 2, 4, 6),),
            ),
            Mistake(
                "fotograma-a-fotograma",
                "has cortado cada fotograma por separado: un tubo abarca `frames`",
                (_frame_by_frame, _first_frame),
            ),
        ),
    ),
)
