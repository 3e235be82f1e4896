"""Ejercicio de código: un número continuo, escrito como un token."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

MU, SPAN, BINS = 100, 256, 1024


def _by_loops(values, first):
    return torch.tensor([_one(x) + first for x in values.tolist()])


def _one(x, *, log=True, sign=True, bins=BINS, closed=True):
    y = math.log(MU * abs(x) + 1) / math.log(MU * SPAN + 1) if log else abs(x)
    y = math.copysign(y, x) if sign else y
    place = math.floor((max(-1.0, min(1.0, y)) + 1) / 2 * bins)
    return min(place, bins - 1) if closed else place


def _variant(**options):
    return lambda values, first: torch.tensor([_one(x, **options) + first for x in values.tolist()])


def _without_shift(values, first):
    return _by_loops(values, 0)


def _as_given(values, first):
    """El código del enunciado."""
    return _variant(sign=False, closed=False)(values, first)


def _case(numbers, first):
    return lambda: (torch.tensor(numbers, dtype=torch.float64), first)


def _random_case(seed):
    """Medidas de cualquier tamaño y signo, ninguna junto al borde de su casilla."""

    def make():
        random = chance(seed)
        places = [random.randrange(BINS) + random.uniform(0.2, 0.8) for _ in range(6)]
        numbers = [_expanded(2 * place / BINS - 1) for place in places]
        return torch.tensor(numbers, dtype=torch.float64), random.randint(100, 40_000)

    return make


def _expanded(y):
    """El número al que la ley μ lleva a `y`."""
    return math.copysign(((MU * SPAN + 1) ** abs(y) - 1) / MU, y)


VALUES = Exercise(
    Card(
        id="un-numero-un-token",
        title="Dos fallos al escribir un número",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encontrar los números con los que una cuenta deja de valer",
        hints=(
            "Prueba el código con −0,3, con 0 y con 1000: ¿qué tokens salen, y cuáles deberían? "
            "Uno de los fallos lo ven todos los números a la izquierda del cero.",
            "Después, la casilla: de [−1, 1] a [0, 1024), y hacia abajo. El borde de arriba, 1, va "
            "a la última, la 1023.",
            "Y al final suma `first`: las casillas van detrás de las palabras.",
        ),
    ),
    Task(
        function="value_tokens",
        cases=(
            Case("el cero y dos pequeños", _case([0.0, 0.01, -0.01], 50)),
            Case("la velocidad de un palo", _case([0.3, -1.2, 2.4, -0.05], 32_000)),
            Case("los bordes", _case([256.0, -256.0, 1000.0, -1000.0], 10)),
            Case("de todos los tamaños", _case([x / 7 for x in range(-1800, 1800, 3)], 5)),
            Case("sin palabras delante", _case([8.0, -8.0, 1.0], 0)),
            Case("seis medidas al azar", _random_case(seed=0)),
            Case("otras seis", _random_case(seed=1)),
            example(torch.tensor([0.0, 1.0], dtype=torch.float64), 10),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "sin-ley-mu",
                "falta la ley μ: sin ella, casi todo lo que mide más de 1 acaba en el borde",
                (_variant(log=False),),
            ),
            Mistake(
                "sin-signo",
                "has perdido el signo: un número y su contrario caen en la misma casilla",
                (_variant(sign=False),),
            ),
            Mistake(
                "sin-desplazar",
                "falta sumar `first`: así, un número y una palabra son el mismo token",
                (_without_shift,),
            ),
            Mistake(
                "se-sale",
                "el borde de arriba cae fuera, en una casilla que no existe: va a la última",
                (_variant(closed=False),),
            ),
            Mistake(
                "1023-casillas",
                "has partido el intervalo en 1023: son 1024 casillas iguales",
                (_variant(bins=BINS - 1), _variant(bins=BINS - 1, closed=False)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
