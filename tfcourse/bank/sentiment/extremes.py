"""Ejercicio de código: qué se puede deducir de dos aciertos publicados."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _p(wins, losses):
    n, least = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(least + 1)) / 2**n)


def _by_trying(n, hits_a, hits_b):
    """Prueba todos los repartos que dan esos aciertos, uno a uno."""
    found = [
        _p(hits_a - both, hits_b - both)
        for both in range(min(hits_a, hits_b) + 1)
        if hits_a + hits_b - both <= n
    ]
    return torch.tensor([min(found), max(found)])


def _normal_p(wins, losses):
    return math.erfc(abs(wins - losses) / math.sqrt(2 * max(1, wins + losses)))


def _variant(most=None, p=_p, *, turned=False, half=False):
    def deduce(n, hits_a, hits_b):
        low, high = sorted((hits_a, hits_b))
        shared = (most or (lambda low, high, n: min(low, n - high)))(low, high, n)
        ends = [p(high - low, 0), p(high - low + shared, shared)]
        ends = [end / 2 for end in ends] if half else ends
        return torch.tensor(ends[::-1] if turned else ends)

    return deduce


def _case(seed, hits, gap):
    """Unos sesenta textos: `hits` es la parte que acierta el mejor, y `gap`, lo que saca."""

    def make():
        random = chance(seed)
        n = random.randint(50, 70)
        best = round(n * hits) + random.randint(-2, 2)
        return n, best, best - gap - random.randint(0, 1)

    return make


def _other_way(make):
    def turned():
        n, first, second = make()
        return n, second, first

    return turned


EXTREMES = Exercise(
    Card(
        id="que-dice-la-tabla",
        title="¿Qué se deduce de una tabla?",
        kind="codigo",
        difficulty=3,
        minutes=15,
        points=2,
        objective="acotar lo que dirían los datos que una tabla no publica",
        hints=(
            "Si los dos discrepan lo menos posible, todo lo que acierta el peor lo acierta también "
            "el mejor.",
            "Cada acierto que el peor tiene y el mejor no añade dos desacuerdos, uno a cada lado: "
            "la diferencia no cambia, y p crece.",
            "¿Cuántos puede haber? El mejor falla n − hits, y el peor no puede prestar más "
            "aciertos de los que tiene.",
        ),
    ),
    Task(
        function="p_range",
        cases=(
            Case("los dos aciertan más de la mitad", _case(0, 0.75, 4)),
            Case("va delante el segundo", _other_way(_case(1, 0.7, 6))),
            Case("los dos aciertan poco", _case(2, 0.25, 5)),
            Case("casi iguales", _case(3, 0.6, 1)),
            Case("aciertan lo mismo", lambda: (10, 6, 6)),
            example(10, 8, 6),
        ),
        reference=_by_trying,
        mistakes=(
            Mistake(
                "una-cola",
                "falta multiplicar por dos: también cuenta que la ventaja hubiera sido del otro",
                (_variant(half=True),),
            ),
            Mistake(
                "sin-tope-de-fallos",
                "has supuesto que el peor puede acertar todo lo suyo donde el otro falla, y el "
                "mejor no falla tantos textos",
                (_variant(lambda low, high, n: low),),
            ),
            Mistake(
                "sin-tope-de-aciertos",
                "has supuesto que el peor acierta todo lo que falla el mejor, y no tiene tantos "
                "aciertos",
                (_variant(lambda low, high, n: n - high),),
            ),
            Mistake(
                "al-reves",
                "están cambiados: cuantos menos desacuerdos, más pequeño es p",
                (_variant(turned=True),),
            ),
            Mistake(
                "aproximada",
                "has usado la aproximación normal: se pide la prueba exacta, con las combinaciones",
                (_variant(p=_normal_p),),
            ),
        ),
        differentiable=False,
    ),
)
