"""Ejercicio abierto: qué pasa al quedarse con la mejor de n según un indicador que se equivoca."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_counting(proxy, true, n):
    """Respuesta a respuesta: gana si está entre las sorteadas y ninguna sorteada puntúa más."""
    total = 0.0
    for own, worth in zip(proxy.tolist(), true.tolist(), strict=True):
        below = float((proxy < own).sum())
        total += worth * (((below + 1) / len(proxy)) ** n - (below / len(proxy)) ** n)
    return total


def _variant(sort=True, descending=False, own=False, up_to=False):
    def best_of(proxy, true, n):
        order = proxy.argsort(descending=descending) if sort else torch.arange(len(proxy))
        values = (proxy if own else true)[order].double()
        place = torch.arange(1, len(proxy) + 1, dtype=torch.float64) / len(proxy)
        share = place**n - (0.0 if up_to else (place - 1 / len(proxy)).clamp(min=0) ** n)
        return float((share * values).sum())

    return best_of


def _plain_mean(proxy, true, n):
    return float(true.mean())


def _winner(proxy, true, n):
    return float(true[proxy.argmax()])


def _case(size, n, seed):
    def make():
        generator = seeded(seed)
        true, noise = torch.randn(2, size, generator=generator, dtype=torch.float64)
        return true + noise, true, n

    return make


BEST = Exercise(
    Card(
        id="la-mejor-de-muchas",
        title="La mejor de muchas",
        kind="abierto",
        difficulty=3,
        minutes=45,
        points=2,
        manual_points=8,
        objective="medir cuánto se puede apretar un indicador antes de que deje de servir",
        hints=(
            "Ordena las respuestas por el indicador, de menor a mayor. La que ocupa el puesto k "
            "gana si todas las sorteadas están entre las k primeras, y no todas entre las k − 1.",
            "La probabilidad de que las n sorteadas estén entre las k primeras de N es (k/N)ⁿ.",
            "Para el diseño: con unas decenas de miles de recompensas simuladas, la fórmula da la "
            "curva entera sin sortear ningún grupo; los sorteos son los de las recompensas.",
        ),
    ),
    Task(
        function="best_of",
        cases=(
            Case("40 respuestas, la mejor de 4", _case(40, 4, 0)),
            Case("100 respuestas, la mejor de 30", _case(100, 30, 1)),
            Case("la mejor de una", _case(12, 1, 2)),
            Case("más sorteos que respuestas", _case(5, 200, 3)),
            example(*torch.tensor([[2.0, 9.0], [3.0, 1.0]]), 2),
        ),
        reference=_by_counting,
        mistakes=(
            Mistake(
                "sin-ordenar",
                "falta ordenar por el indicador: la fórmula habla de puestos",
                (_variant(sort=False),),
            ),
            Mistake(
                "la-peor",
                "te quedas con la que menos puntúa: gana la de mayor indicador",
                (_variant(descending=True),),
            ),
            Mistake(
                "lo-que-dice-el-indicador",
                "eso es lo que dice el indicador de la ganadora: se pide lo que vale de verdad",
                (_variant(own=True),),
            ),
            Mistake(
                "sin-restar",
                "(k/N)ⁿ es la probabilidad de que la ganadora esté entre las k primeras; para que "
                "sea la k, falta restar la de que esté antes",
                (_variant(up_to=True),),
            ),
            Mistake(
                "la-media",
                "eso es lo que vale una respuesta cualquiera: falta elegir",
                (_plain_mean,),
            ),
            Mistake(
                "la-ganadora-de-todas",
                "has tomado la que más puntúa de todas, que puede no estar entre las n sorteadas",
                (_winner,),
            ),
        ),
        differentiable=False,
    ),
)
