"""Ejercicio de código: un AdamW con tres fallos plantados."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

BETA1, BETA2, EPS, DECAY = 0.9, 0.98, 1e-8, 0.1


def _one_by_one(parameter, gradient, mean, size, t, lr):
    rows = []
    for p, g, m, v in zip(*(x.tolist() for x in (parameter, gradient, mean, size)), strict=True):
        m = 0.9 * m + 0.1 * g
        v = 0.98 * v + 0.02 * g * g
        step = (m / (1 - 0.9**t)) / (math.sqrt(v / (1 - 0.98**t)) + EPS)
        rows.append((p - lr * 0.1 * p - lr * step, m, v))
    return tuple(torch.tensor(column, dtype=parameter.dtype) for column in zip(*rows, strict=True))


def _step(decay="aparte", returned="sin corregir", root="fuera"):
    """El paso, con cada fallo arreglado o sin arreglar."""

    def step(parameter, gradient, mean, size, t, lr):
        if decay == "en el gradiente":
            gradient = gradient + DECAY * parameter
        m = BETA1 * mean + (1 - BETA1) * gradient
        v = BETA2 * size + (1 - BETA2) * gradient**2
        right_m, right_v = m / (1 - BETA1**t), v / (1 - BETA2**t)
        if returned == "nada corregido":
            right_m, right_v = m, v
        inside, outside = EPS * (root == "dentro"), EPS * (root == "fuera")
        divisor = (right_v + inside).sqrt() + outside
        kept = {"aparte": 1 - lr * DECAY, "sin el ritmo": 1 - DECAY}.get(decay, 1.0)
        means = (right_m, right_v) if returned == "corregidas" else (m, v)
        return kept * parameter - lr * right_m / divisor, *means

    return step


def _still(first, *others):
    """Las maneras de dejar sin arreglar un fallo, con los demás arreglados o no."""
    return tuple(_step(**(first | other)) for other in ({}, *others))


DECAYED, RETURNED = {"decay": "en el gradiente"}, {"returned": "corregidas"}
INSIDE = {"root": "dentro"}


def _case(n, t, lr, seed, fresh=False, scale=1.0):
    def make():
        parameter, gradient, mean, size = random_tensors(*[(n,)] * 4, seed=seed)
        if fresh:
            return parameter, scale * gradient, torch.zeros(n), torch.zeros(n), t, lr
        return parameter, gradient, 0.3 * mean, 0.2 + size.square(), t, lr

    return make


ADAMW = Exercise(
    Card(
        id="fallos-en-adamw",
        title="Tres fallos en un AdamW",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="encontrar fallos que no dan error y que un entrenamiento corto no enseña",
        hints=(
            "Uno por síntoma. Para el primero, mira en qué líneas aparece el decaimiento y por "
            "dónde pasa después; compáralo con la ecuación de AdamW.",
            "Para el segundo, haz dos pasos seguidos con lápiz: ¿qué recibe el segundo en `mean`? "
            "¿Cuántas veces se divide entre 1 − 0,9ᵗ lo del primer gradiente?",
            "Para el tercero, pon un gradiente de una millonésima en el primer paso. Su cuadrado "
            "es mucho menor que ε: ¿qué ocurre con la raíz?",
        ),
    ),
    Task(
        function="adamw_step",
        cases=(
            Case("un paso cualquiera", _case(4, 3, 0.1, 0)),
            Case("el primer paso", _case(3, 1, 0.05, 1, fresh=True)),
            Case("muchos pasos después", _case(5, 400, 0.1, 2)),
            Case("gradientes diminutos", _case(4, 1, 0.1, 3, fresh=True, scale=1e-5)),
            Case("gradiente nulo", _case(3, 1, 0.1, 4, fresh=True, scale=0.0)),
        ),
        reference=_one_by_one,
        outputs=("parámetro", "media", "tamaño"),
        mistakes=(
            Mistake(
                "dos-o-mas",
                "quedan al menos dos fallos: el decaimiento entra en las medias, y las medias se "
                "devuelven corregidas",
                (_step(**DECAYED, **RETURNED, **INSIDE), _step(**DECAYED, **RETURNED)),
            ),
            Mistake(
                "decaimiento-en-el-gradiente",
                "queda el fallo del decaimiento: se suma al gradiente y entra en las dos medias. "
                "En AdamW, el parámetro se encoge aparte, por 1 − lr · 0,1",
                _still(DECAYED, INSIDE),
            ),
            Mistake(
                "medias-corregidas",
                "queda el fallo de lo que se devuelve: van corregidas y el paso siguiente las "
                "volverá a corregir. Se devuelven sin corregir",
                _still(RETURNED, INSIDE),
            ),
            Mistake(
                "epsilon-dentro",
                "queda el fallo de ε: sumada dentro de la raíz frena los gradientes diminutos. Se "
                "suma fuera, después de la raíz",
                _still(INSIDE),
            ),
            Mistake(
                "sin-epsilon",
                "falta ε: con un gradiente nulo se divide 0 entre 0 y el parámetro se vuelve NaN",
                (_step(root="sin nada"),),
            ),
            Mistake(
                "sin-decaimiento",
                "has quitado el decaimiento: hay que llevarlo a su sitio, encogiendo el parámetro "
                "antes de avanzar",
                (_step(decay="ninguno"),),
            ),
            Mistake(
                "decaimiento-sin-ritmo",
                "el decaimiento también se multiplica por el ritmo: el parámetro se encoge por "
                "1 − lr · 0,1, y no por 0,9",
                (_step(decay="sin el ritmo"),),
            ),
            Mistake(
                "nada-corregido",
                "ahora no se corrige nada: se avanza con las medias corregidas y se devuelven las "
                "otras",
                (_step(returned="nada corregido"),),
            ),
        ),
        differentiable=False,
    ),
)
