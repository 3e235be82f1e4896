"""Ejercicio de código: deducir la temperatura que da una probabilidad."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_halving(own, other, n_documents, share):
    """Por bisección: con menos temperatura, la pareja se lleva más."""
    low, high = 1e-4, 1e4
    for _ in range(200):
        middle = math.sqrt(low * high)
        rest = (n_documents - 1) * math.exp(-min((own - other) / middle, 700.0))
        low, high = (middle, high) if 1 / (1 + rest) > share else (low, middle)
    return low


def _variant(others=1, inverse=False, odds=True, sign=1.0):
    def temperature(own, other, n_documents, share):
        ratio = share / (1 - share) if odds else share
        found = (own - other) / math.log(ratio * max(1, n_documents - others))
        return 1 / found if inverse else sign * found

    return temperature


def _alone(own, other, n_documents, share):
    return (own - other) / math.log(share / (1 - share))


def _case(seed):
    def make():
        random = chance(seed)
        own, other = random.uniform(0.6, 0.95), random.uniform(0.0, 0.4)
        return own, other, random.randint(8, 300), random.uniform(0.6, 0.95)

    return make


TEMPERATURE = Exercise(
    Card(
        id="la-temperatura-que-basta",
        title="La temperatura que basta",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="deducir qué temperatura hace falta para que la pareja se lleve una probabilidad",
        hints=(
            "Divide arriba y abajo entre la exponencial de la pareja: p = 1 / (1 + (M − 1) · "
            "e^(−(a − o)/τ)).",
            "Despeja la exponencial: e^((a − o)/τ) = (M − 1) · p / (1 − p).",
            "Toma logaritmos: τ = (a − o) / ln((M − 1) · p / (1 − p)).",
        ),
    ),
    Task(
        function="enough_temperature",
        cases=(
            Case("un lote", _case(0)),
            Case("otro lote", _case(1)),
            Case("dos candidatos", lambda: (0.8, 0.2, 2, 0.9)),
            example(1.0, 0.0, 2, 0.75),
        ),
        reference=_by_halving,
        mistakes=(
            Mistake(
                "uno-de-mas",
                "los negativos son M − 1: el documento de la pareja no compite consigo mismo",
                (_variant(others=0),),
            ),
            Mistake(
                "solo-dos",
                "has contado un solo negativo: son M − 1, y todos suman en el denominador",
                (_alone,),
            ),
            Mistake(
                "sin-el-resto",
                "falta dividir entre 1 − p, que es lo que se llevan los demás",
                (_variant(odds=False),),
            ),
            Mistake(
                "al-reves",
                "eso es 1/τ: el coseno se divide entre la temperatura",
                (_variant(inverse=True),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
