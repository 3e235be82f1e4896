"""Ejercicio de código: lo más que puede avanzar Adam."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules

TERMS = 2000  # de sobra: en todas las entradas la serie encoge al menos un 1,9 % por término


def _term_by_term(beta1, beta2):
    pairs = (((1 - beta1) * beta1**k, (1 - beta2) * beta2**k) for k in range(TERMS))
    return math.sqrt(sum(a * a / b for a, b in pairs if b))


def _variant(power=2, shares=True, root=True):
    def bound(beta1, beta2):
        total = 1 / (1 - beta1**power / beta2)
        if shares:
            total *= (1 - beta1) ** power / (1 - beta2)
        return math.sqrt(total) if root else total

    return bound


def _case(*values):
    return lambda: values


def _random_case(seed):
    def make():
        random = chance(seed)
        return random.randint(50, 90) / 100, random.randint(920, 995) / 1000

    return make


ADVANCE = Exercise(
    Card(
        id="lo-mas-que-avanza-adam",
        title="Lo más que puede avanzar Adam",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="deducir la cota del avance de Adam sumando una serie geométrica",
        hints=(
            "Escribe el término k de la suma, a²/b, como un número que no depende de k por una "
            "razón elevada a k.",
            "La razón es β₁ al cuadrado entre β₂, y la suma de una serie geométrica de razón r que "
            "empieza en 1 es 1/(1 − r).",
            "Fuera de la serie quedan (1 − β₁) al cuadrado, arriba, y 1 − β₂, abajo. Y al final, "
            "la raíz.",
        ),
    ),
    Task(
        function="largest_advance_ever",
        cases=(
            Case("las betas del capítulo", _case(0.9, 0.98)),
            Case("las betas de siempre", _case(0.9, 0.999)),
            Case("las de GPT-3", _case(0.9, 0.95)),
            Case("sin inercia", _case(0.0, 0.75)),
            Case("las dos iguales", _case(0.95, 0.95)),
            Case("unas betas al azar", _random_case(seed=0)),
            Case("con una fórmula, sin bucles ni sumas", _case(0.98, 0.985), Rules(lines=300)),
            example(0.0, 0.75),
        ),
        reference=_term_by_term,
        mistakes=(
            Mistake(
                "sin-raiz",
                "falta la raíz: has dado la cota del cuadrado del avance",
                (_variant(root=False),),
            ),
            Mistake(
                "sin-cuadrado",
                "los pesos de la media van al cuadrado: el término es a²/b, y su razón, β₁²/β₂",
                (_variant(power=1),),
            ),
            Mistake(
                "sin-repartos",
                "te faltan los factores que no dependen de k: 1 − β₁, al cuadrado, y 1 − β₂",
                (_variant(shares=False),),
            ),
            Mistake(
                "primer-paso",
                "esa es la cota del primer paso: aquí se pide la de después de muchos",
                (lambda beta1, beta2: 1.0,),
            ),
        ),
        tolerance=1e-5,
        differentiable=False,
    ),
)
