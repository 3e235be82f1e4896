"""Ejercicio de código: hasta dónde llega una negación."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

FACTOR, WINDOW = -0.74, 4


def _by_loops(valences, negators, walls):
    out = valences.clone()
    for place in range(len(valences)):
        for before in range(place - 1, max(-1, place - 1 - WINDOW), -1):
            if walls[before]:
                break
            if negators[before]:
                out[place] = FACTOR * valences[place]
                break
    return out


def _variant(*, window=WINDOW, factor=FACTOR, stops=True, ahead=False, each=False, spill=False):
    def adjust(valences, negators, walls):
        out, length = valences.clone(), len(valences)
        for place in range(length):
            steps = range(place + 1, min(length, place + 1 + window))
            if not ahead:
                steps = range(place - 1, max(-1, place - 1 - window), -1)
            count = 0
            for other in steps:
                if stops and walls[other] and not spill:
                    break
                count += int(negators[other])
                if spill and walls[other]:
                    break
            times = count if each else min(count, 1)
            out[place] = valences[place] * factor**times
        return out

    return adjust


def _case(length, seed):
    def make():
        generator = seeded(seed)
        kind = torch.rand(length, generator=generator)
        values = torch.randint(-3, 4, (length,), generator=generator).float()
        negators, walls = kind < 0.2, kind > 0.85
        # Un no, cuatro palabras y otra que ya queda fuera; dos noes seguidos; una coma en medio.
        negators[:12] = torch.tensor([1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1]).bool()
        walls[:12] = torch.tensor([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]).bool()
        walls[12], values[13] = True, 2.0
        values[1:6] = torch.tensor([1.0, 2.0, 3.0, 1.0, 2.0])
        return values.masked_fill(negators | walls, 0.0), negators & ~walls, walls

    return make


SCOPE = Exercise(
    Card(
        id="hasta-donde-niega",
        title="¿Hasta dónde niega un «no»?",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="aplicar una negación con alcance y frontera de cláusula",
        hints=(
            "Para cada palabra, mira hacia atrás una posición cada vez, hasta cuatro.",
            "Si te encuentras una frontera, para: lo que haya antes no cuenta.",
            "Si te encuentras una negación, multiplica por −0,74 y para: niega una sola vez.",
        ),
    ),
    Task(
        function="negate",
        cases=(
            Case("20 palabras", _case(20, 0)),
            Case("35 palabras", _case(35, 1)),
            Case("60 palabras", _case(60, 2)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-frontera",
                "la negación se ha saltado una frontera: no pasa de una coma, un punto o un «pero»",
                (_variant(stops=False),),
            ),
            Mistake(
                "hacia-delante",
                "has buscado la negación en las palabras que siguen: se busca en las anteriores",
                (_variant(ahead=True),),
            ),
            Mistake(
                "tres-palabras",
                "has mirado tres palabras atrás: aquí se miran cuatro",
                (_variant(window=3),),
            ),
            Mistake(
                "cinco-palabras",
                "has mirado cinco palabras atrás: aquí se miran cuatro",
                (_variant(window=5),),
            ),
            Mistake(
                "sin-limite",
                "has negado toda la cláusula, por lejos que esté el «no»: llega a cuatro palabras",
                (_variant(window=1000),),
            ),
            Mistake(
                "vuelta-entera",
                "has multiplicado por −1: «no es bueno» es malo, pero menos que «es malo»",
                (_variant(factor=-1.0),),
            ),
            Mistake(
                "cada-no",
                "has multiplicado una vez por cada negación: «no es nada bueno» niega una sola vez",
                (_variant(each=True),),
            ),
        ),
        differentiable=False,
    ),
)
