"""Ejercicio de código: el nivel de una onda en decibelios, con referencia y suelo."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(wave, reference, floor):
    """Onda a onda, con los logaritmos de Python."""
    found = []
    for row in wave.reshape(-1, wave.shape[-1]).tolist():
        power = sum(x * x for x in row) / len(row)
        level = 10 * math.log10(power / reference**2) if power > 0 else -math.inf
        found.append(max(level, floor))
    return torch.tensor(found).view(wave.shape[:-1])


def _variant(
    times=10.0, power=2, mean=True, floored=True, squared=True, natural=False, peak=False, sign=1
):
    def level(wave, reference, floor):
        size = wave.abs() ** power
        total = size.amax(-1) if peak else (size.mean(-1) if mean else size.sum(-1))
        ratio = (total / (reference**2 if squared else reference)).clamp(min=1e-30)
        decibels = sign * times * (ratio.log() if natural else ratio.log10())
        return decibels.clamp(min=floor) if floored else decibels

    return level


def _case(shape, reference, floor, seed=0, scale=0.3, silent=False):
    def make():
        wave = scale * torch.randn(shape, generator=seeded(seed))
        if silent:
            wave = torch.cat([wave, torch.zeros(1, shape[-1])])
        return wave, reference, floor

    return make


LEVEL = Exercise(
    Card(
        id="nivel-en-decibelios",
        title="El nivel en decibelios",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="medir un nivel en decibelios con su referencia y su suelo",
        hints=(
            "La potencia es la media de los cuadrados, en el último eje.",
            "La referencia es una amplitud: su potencia es su cuadrado.",
            "El silencio tiene potencia 0: recórtala a algo diminuto antes del logaritmo y aplica "
            "el suelo después, con clamp(min=floor).",
        ),
    ),
    Task(
        function="level_db",
        cases=(
            Case("una onda", _case((50,), 1.0, -80.0)),
            Case("otra referencia", _case((50,), 0.25, -80.0, seed=1)),
            Case("un lote", _case((3, 40), 0.5, -60.0, seed=2)),
            Case("un silencio", _case((2, 30), 2.0, -60.0, seed=3, silent=True)),
            Case("por debajo del suelo", _case((2, 30), 1.0, -40.0, seed=4, scale=1e-4)),
            example(torch.tensor([0.1, -0.1, 0.1, -0.1]), 1.0, -80.0),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "veinte",
                "has usado 20 con potencias: el 20 es para amplitudes; con potencias, 10",
                (_variant(times=20.0),),
            ),
            Mistake(
                "sin-cuadrado",
                "has promediado amplitudes: la potencia es la media de los cuadrados",
                (_variant(power=1), _variant(power=1, times=20.0, squared=False)),
            ),
            Mistake(
                "referencia-sin-cuadrado",
                "has dividido la potencia entre la amplitud de referencia: va al cuadrado",
                (_variant(squared=False),),
            ),
            Mistake(
                "suma",
                "has sumado los cuadrados: es su media, o el nivel dependería de la duración",
                (_variant(mean=False),),
            ),
            Mistake(
                "logaritmo-natural",
                "has usado el logaritmo natural: los decibelios son con el decimal",
                (_variant(natural=True),),
            ),
            Mistake(
                "sin-suelo",
                "te falta el suelo: lo que quede por debajo vale `floor`",
                (_variant(floored=False),),
            ),
            Mistake(
                "pico",
                "has medido el pico: se pide la potencia media",
                (_variant(peak=True),),
            ),
        ),
        tolerance=1e-3,
        differentiable=False,
    ),
)
