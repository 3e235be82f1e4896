"""Ejercicio de código: el ritmo de Noam."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_branches(t, d_model, warmup):
    if t <= warmup:
        return t / (warmup * math.sqrt(warmup) * math.sqrt(d_model))
    return 1 / math.sqrt(t * d_model)


def _variant(up=-1.5, width=-0.5, choose=min, shift=0):
    def rate(t, d_model, warmup):
        t = max(t + shift, 1e-9)
        return d_model**width * choose(t**-0.5, t * warmup**up)

    return rate


def _case(*values):
    return lambda: values


def _random_case(seed, *, rising):
    def make():
        random = chance(seed)
        warmup = random.randint(50, 500)
        share = random.uniform(0.2, 0.8) if rising else random.uniform(1.5, 6.0)
        return round(share * warmup), random.randint(16, 256), warmup

    return make


NOAM = Exercise(
    Card(
        id="ritmo-de-noam",
        title="El ritmo de Noam",
        kind="codigo",
        difficulty=1,
        minutes=8,
        points=2,
        objective="pasar el ritmo de aprendizaje del artículo a código sin perder un exponente",
        hints=(
            "Es un producto de dos cosas: una potencia de `d_model` y el menor de dos números.",
            "Mientras t es menor que warmup gana la rama que crece; después, la que baja.",
            "En t = warmup las dos ramas valen lo mismo, warmup elevado a −1/2. ¿Qué exponente de "
            "warmup hace falta para eso?",
        ),
    ),
    Task(
        function="noam_rate",
        cases=(
            Case("a mitad de la subida", _case(2000, 512, 4000)),
            Case("el primer paso", _case(1, 512, 4000)),
            Case("en lo más alto", _case(100, 64, 100)),
            Case("en plena bajada", _case(900, 64, 100)),
            Case("un modelo ancho", _case(40, 1024, 16)),
            Case("una subida al azar", _random_case(seed=0, rising=True)),
            Case("una bajada al azar", _random_case(seed=1, rising=False)),
        ),
        reference=_by_branches,
        mistakes=(
            Mistake(
                "exponente-de-la-subida",
                "el exponente de warmup es −3/2, no −1/2: así las dos ramas se cruzan en t = "
                "warmup (está mal en algunos apuntes)",
                (_variant(up=-0.5),),
            ),
            Mistake(
                "mayor-en-lugar-de-menor",
                "has tomado la mayor de las dos ramas, y es la menor: con la mayor se empieza con "
                "un ritmo enorme",
                (_variant(choose=max),),
            ),
            Mistake(
                "ancho-al-reves",
                "d_model va elevado a −1/2: a más ancho, menos ritmo",
                (_variant(width=0.5),),
            ),
            Mistake("sin-ancho", "te falta el factor de d_model", (_variant(width=0.0),)),
            Mistake(
                "desde-cero",
                "los pasos se cuentan desde 1 y tú los has corrido uno: usa t tal como llega",
                (_variant(shift=1), _variant(shift=-1)),
            ),
        ),
        tolerance=1e-7,
        differentiable=False,
    ),
)
