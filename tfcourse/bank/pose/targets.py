"""Ejercicio de código: la respuesta que se pide a SimCC."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(x, bins, spread):
    heights = [math.exp(-(((i + 0.5) / bins - x) ** 2) / (2 * spread**2)) for i in range(bins)]
    return torch.tensor([height / sum(heights) for height in heights])


def _variant(shift=0.5, last=False, normal=True, half=2.0, power=2, one_hot=False, density=False):
    def target(x, bins, spread):
        centers = (torch.arange(bins) + shift) / (bins - 1 if last else bins)
        if one_hot:
            answer = torch.zeros(bins)
            answer[(centers - x).abs().argmin()] = 1.0
            return answer
        bell = (-((centers - x) ** 2) / (half * spread**power)).exp()
        if density:
            return bell / (spread * math.sqrt(2 * math.pi))
        return bell / bell.sum() if normal else bell

    return target


def _case(x, bins, spread):
    return lambda: (x, bins, spread)


def _random_case(seed):
    """Una coordenada que no está en el borde de un cajón ni en su centro."""

    def make():
        random = chance(seed)
        bins = random.randint(9, 24)
        place = random.randrange(bins) + random.uniform(0.6, 0.9)
        return place / bins, bins, random.uniform(0.04, 0.15)

    return make


TARGET = Exercise(
    Card(
        id="objetivo-simcc",
        title="La respuesta que se pide a SimCC",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="convertir una coordenada en un reparto suave sobre cajones",
        hints=(
            "El cajón i ocupa de i/bins a (i + 1)/bins: su centro está en (i + ½)/bins.",
            "La altura de la campana en un centro c es exp(−(c − x)² / (2 spread²)).",
            "Divide entre la suma para que sea un reparto.",
        ),
    ),
    Task(
        function="simcc_target",
        cases=(
            Case("ocho cajones", _case(0.3, 8, 0.1)),
            Case("veinte cajones", _case(0.62, 20, 0.05)),
            Case("cerca del borde", _case(0.04, 12, 0.08)),
            Case("una campana ancha", _case(0.53, 10, 0.3)),
            Case("una coordenada al azar", _random_case(seed=1)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-medio-cajon",
                "has puesto cada cajón en su borde: su centro está medio cajón más allá",
                (_variant(shift=0.0),),
            ),
            Mistake(
                "hasta-el-borde",
                "has repartido los cajones de 0 a 1 con los bordes incluidos: hay `bins` "
                "cajones, y "
                "el último acaba en 1",
                (_variant(shift=0.0, last=True),),
            ),
            Mistake(
                "sin-repartir",
                "no suma 1: divide las alturas entre su suma",
                (_variant(normal=False), _variant(density=True)),
            ),
            Mistake(
                "sin-el-dos",
                "falta el 2 del denominador: exp(−(c − x)² / (2 spread²))",
                (_variant(half=1.0),),
            ),
            Mistake(
                "sin-cuadrado",
                "`spread` va al cuadrado: es una desviación, no una varianza",
                (_variant(power=1),),
            ),
            Mistake(
                "todo-o-nada",
                "has puesto un 1 en el cajón y 0 en los demás: casi acertar tiene que costar menos",
                (_variant(one_hot=True),),
            ),
        ),
        differentiable=False,
    ),
)
