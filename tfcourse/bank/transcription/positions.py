"""Ejercicio de código: las posiciones del codificador, primero senos y después cosenos."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(length, channels):
    """Posición a posición y onda a onda."""
    half = channels // 2
    rows = []
    for place in range(length):
        angles = [place * 10_000 ** (-i / (half - 1)) for i in range(half)]
        rows.append([math.sin(a) for a in angles] + [math.cos(a) for a in angles])
    return torch.tensor(rows)


def _variant(last=1, woven=False, swap=False, base=10_000, from_one=0):
    def positions(length, channels):
        half = channels // 2
        frequency = torch.exp(-math.log(base) * torch.arange(half) / (half - last))
        angles = torch.arange(from_one, length + from_one)[:, None] * frequency
        parts = [angles.sin(), angles.cos()]
        if swap:
            parts.reverse()
        return torch.stack(parts, dim=-1).flatten(1) if woven else torch.cat(parts, dim=1)

    return positions


def _random_case(seed):
    """Unas cuantas posiciones, de un número par de componentes."""

    def make():
        random = chance(seed)
        return random.randint(8, 40), 2 * random.randint(4, 16)

    return make


WAVES = Exercise(
    Card(
        id="senos-y-luego-cosenos",
        title="Senos, y luego cosenos",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir las posiciones del codificador de Whisper",
        hints=(
            "torch.arange(channels // 2) da las i; divídelas entre channels // 2 − 1.",
            "La frecuencia i es 10 000 elevado a −i / (D/2 − 1): de 1 a una diezmilésima.",
            "Los ángulos son posición por frecuencia, (L, D/2); torch.cat los une por columnas.",
        ),
    ),
    Task(
        function="encoder_positions",
        cases=(
            Case("cuatro componentes", lambda: (3, 4)),
            Case("ocho componentes", lambda: (6, 8)),
            Case("más posiciones", lambda: (20, 6)),
            Case("una sola posición", lambda: (1, 10)),
            Case("un tamaño al azar", _random_case(seed=1)),
            Case("otro tamaño al azar", _random_case(seed=2)),
            example(2, 4),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "entre-la-mitad",
                "has dividido entre D/2, como en el Transformer original: aquí es entre D/2 − 1, y "
                "la última frecuencia es justo una diezmilésima",
                (_variant(last=0), _variant(last=0, woven=True)),
            ),
            Mistake(
                "intercaladas",
                "has intercalado senos y cosenos, como en el Transformer original: aquí van "
                "primero todos los senos",
                (_variant(woven=True),),
            ),
            Mistake(
                "cosenos-primero",
                "has puesto los cosenos delante",
                (_variant(swap=True), _variant(swap=True, last=0)),
            ),
            Mistake("base", "la base es 10 000", (_variant(base=1_000), _variant(base=100))),
            Mistake(
                "desde-uno",
                "la primera posición es la 0: sus senos valen 0 y sus cosenos, 1",
                (_variant(from_one=1),),
            ),
        ),
        differentiable=False,
    ),
)
