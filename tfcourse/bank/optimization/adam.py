"""Ejercicio de código: un paso de Adam."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

BETA1, BETA2, EPS = 0.9, 0.98, 1e-8


def _one_by_one(parameter, gradient, mean, size, t, lr):
    rows = []
    for p, g, m, v in zip(*(x.tolist() for x in (parameter, gradient, mean, size)), strict=True):
        m = 0.9 * m + 0.1 * g
        v = 0.98 * v + 0.02 * g * g
        step = (m / (1 - 0.9**t)) / (math.sqrt(v / (1 - 0.98**t)) + EPS)
        rows.append((p - lr * step, m, v))
    return tuple(torch.tensor(column, dtype=parameter.dtype) for column in zip(*rows, strict=True))


def _variant(correct=True, root=True, squared=True, old=False, sign=-1, swapped=False, share=True):
    def step(parameter, gradient, mean, size, t, lr):
        b1, b2 = (BETA2, BETA1) if swapped else (BETA1, BETA2)
        m = b1 * mean + (1 - b1 if share else 1) * gradient
        v = b2 * size + (1 - b2 if share else 1) * (gradient**2 if squared else gradient.abs())
        used_m, used_v = (mean, size) if old else (m, v)
        if correct:
            used_m, used_v = used_m / (1 - b1**t), used_v / (1 - b2**t)
        divisor = used_v.sqrt() if root else used_v
        return parameter + sign * lr * used_m / (divisor + EPS), m, v

    return step


def _case(n, t, lr, seed, fresh=False):
    def make():
        parameter, gradient, mean, size = random_tensors(*[(n,)] * 4, seed=seed)
        if fresh:
            return parameter, gradient, torch.zeros(n), torch.zeros(n), t, lr
        return parameter, gradient, 0.3 * mean, 0.2 + size.square(), t, lr

    return make


ADAM = Exercise(
    Card(
        id="paso-de-adam",
        title="Un paso de Adam",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="llevar dos medias móviles al día, corregirlas y avanzar con ellas",
        hints=(
            "Primero se actualizan las dos medias; después se corrigen **copias** de ellas: lo que "
            "se devuelve para el paso siguiente va sin corregir.",
            "La corrección divide la primera entre 1 − 0,9ᵗ y la segunda entre 1 − 0,98ᵗ.",
            "El avance es lr · m̂ / (√v̂ + ε), y se resta del parámetro.",
        ),
    ),
    Task(
        function="adam_step",
        cases=(
            Case("un paso cualquiera", _case(4, 3, 0.1, 0)),
            Case("el primer paso", _case(3, 1, 0.01, 1, fresh=True)),
            Case("muchos pasos después", _case(5, 400, 0.1, 2)),
            Case("un solo parámetro", _case(1, 7, 0.5, 3)),
        ),
        reference=_one_by_one,
        outputs=("parámetro", "media", "tamaño"),
        mistakes=(
            Mistake(
                "sin-corregir",
                "te falta corregir las medias: empiezan en cero y los primeros pasos salen "
                "descompensados",
                (_variant(correct=False),),
            ),
            Mistake(
                "sin-raiz",
                "divides entre la media de los cuadrados, y es entre su raíz",
                (_variant(root=False),),
            ),
            Mistake(
                "sin-cuadrado",
                "la segunda media es la del gradiente al cuadrado",
                (_variant(squared=False),),
            ),
            Mistake(
                "medias-viejas",
                "has avanzado con las medias de antes: se ponen al día con este gradiente y "
                "después se usan",
                (_variant(old=True),),
            ),
            Mistake(
                "sube",
                "has sumado el avance: se resta, para bajar la pérdida",
                (_variant(sign=1),),
            ),
            Mistake(
                "betas-cambiadas",
                "has cambiado las betas: 0,9 es la de la media y 0,98, la de los cuadrados",
                (_variant(swapped=True),),
            ),
            Mistake(
                "media-sin-peso",
                "al gradiente nuevo le falta su peso, 1 − β: sin él no es una media",
                (_variant(share=False),),
            ),
        ),
        differentiable=False,
    ),
)
