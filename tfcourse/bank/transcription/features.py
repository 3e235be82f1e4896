"""Ejercicio de código: recortar y escalar el log-mel como Whisper."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(x, dynamic_range):
    """Clip a clip y número a número."""
    found = []
    for clip in x.tolist():
        bottom = max(max(row) for row in clip) - dynamic_range
        found.append([[(max(value, bottom) + 4) / 4 for value in row] for row in clip])
    return torch.tensor(found)


def _variant(dims=(1, 2), scale=True, above=False, shift=4.0, from_minimum=False):
    def clip(x, dynamic_range):
        top = x.amax(dim=dims, keepdim=True)
        bottom = (
            x.amin(dim=dims, keepdim=True) + dynamic_range
            if from_minimum
            else (top - dynamic_range)
        )
        found = x.minimum(bottom) if above else x.maximum(bottom)
        return (found + shift) / 4 if scale else found

    return clip


def _case(shape, dynamic_range, seed=0):
    def make():
        generator = seeded(seed)
        return 4 * torch.randn(shape, generator=generator), dynamic_range

    return make


CLIPPED = Exercise(
    Card(
        id="recortar-el-log-mel",
        title="Recortar el log-mel",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="llevar un espectrograma a la escala que lee Whisper",
        hints=(
            "El máximo de cada clip: x.amax(dim=(1, 2), keepdim=True).",
            "torch.maximum compara elemento a elemento: nada queda por debajo del máximo menos el "
            "margen.",
            "Después, sumar 4 y dividir entre 4.",
        ),
    ),
    Task(
        function="clip_mel",
        cases=(
            Case("un clip", _case((1, 3, 5), 2.0)),
            Case("dos clips", _case((2, 4, 6), 8.0, seed=1)),
            Case("tres clips y poco margen", _case((3, 5, 4), 1.0, seed=2)),
            Case("un margen enorme", _case((2, 3, 3), 100.0, seed=3)),
            example(torch.tensor([[[0.0, -4.0, -20.0]]]), 8.0),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "maximo-del-lote",
                "has usado el máximo de todo el lote: cada clip tiene el suyo, o un clip flojo se "
                "queda en blanco al lado de uno fuerte",
                (_variant(dims=(0, 1, 2)),),
            ),
            Mistake(
                "maximo-por-banda",
                "has usado un máximo para cada banda: es uno para todo el clip",
                (_variant(dims=(2,)),),
            ),
            Mistake(
                "maximo-por-columna",
                "has usado un máximo para cada instante: es uno para todo el clip",
                (_variant(dims=(1,)),),
            ),
            Mistake(
                "al-reves",
                "has recortado por arriba: lo que se pierde es lo que apenas suena",
                (_variant(above=True),),
            ),
            Mistake(
                "desde-el-minimo",
                "has medido el margen desde el mínimo: se cuenta hacia abajo desde el máximo",
                (_variant(from_minimum=True),),
            ),
            Mistake("sin-escalar", "falta sumar 4 y dividir entre 4", (_variant(scale=False),)),
            Mistake(
                "sin-desplazar",
                "has dividido entre 4 sin sumar antes 4",
                (_variant(shift=0.0),),
            ),
        ),
    ),
)
