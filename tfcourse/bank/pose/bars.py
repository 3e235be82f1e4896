"""Ejercicio de código: el listón de la PCK que equivale a un umbral de la OKS."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_bisection(sigma, fill, threshold):
    """Sin despejar: se busca la distancia a la que la nota de la articulación es el umbral."""
    low, high = 0.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        note = math.exp(-(middle**2) / (2 * fill * (2 * sigma) ** 2))
        low, high = (middle, high) if note > threshold else (low, middle)
    return low


def _variant(double=2.0, area=0.5, half=2.0, root=0.5, log=math.log):
    def same_bar(sigma, fill, threshold):
        return double * sigma * fill**area * (half * log(1 / threshold)) ** root

    return same_bar


def _random_case(seed):
    def make():
        random = chance(seed)
        return random.uniform(0.03, 0.11), random.uniform(0.1, 0.6), random.uniform(0.3, 0.9)

    return make


BARS = Exercise(
    Card(
        id="dos-listones",
        title="Dos listones que son el mismo",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="deducir qué listón de la PCK equivale a un umbral de la OKS",
        hints=(
            "Con una sola articulación, la OKS es una exponencial: despeja la distancia $d$.",
            "$d = \\kappa\\, s\\, \\sqrt{2 \\ln(1/t)}$, y $\\kappa = 2\\sigma$.",
            "Lo que se pide es una parte del lado: divide entre $l$ y usa que $s = l\\sqrt{f}$.",
        ),
    ),
    Task(
        function="same_bar",
        cases=(
            Case("una muñeca", lambda: (0.062, 0.3, 0.5)),
            Case("una cadera, con un umbral alto", lambda: (0.107, 0.45, 0.9)),
            Case("una articulación al azar", _random_case(seed=1)),
            Case("otra articulación al azar", _random_case(seed=2)),
            example(0.05, 0.25, math.exp(-0.5), in_words=True),
        ),
        reference=_by_bisection,
        mistakes=(
            Mistake(
                "sin-doblar",
                "has usado σ en lugar de κ: κ = 2σ",
                (_variant(double=1.0),),
            ),
            Mistake(
                "area-sin-raiz",
                "has multiplicado por la parte que ocupa: s es su raíz, porque s² es un área",
                (_variant(area=1.0),),
            ),
            Mistake(
                "sin-tamano",
                "te falta lo que ocupa la figura: s no es el lado de su caja",
                (_variant(area=0.0),),
            ),
            Mistake(
                "sin-el-dos",
                "falta el 2 del denominador de la exponencial",
                (_variant(half=1.0),),
            ),
            Mistake(
                "al-cuadrado",
                "eso es lo que sale antes de la última raíz: lo que se compara es una distancia",
                (_variant(root=1.0),),
            ),
            Mistake(
                "otro-logaritmo",
                "el logaritmo es el natural, que deshace la exponencial",
                (_variant(log=math.log10), _variant(log=math.log2)),
            ),
        ),
        differentiable=False,
    ),
)
