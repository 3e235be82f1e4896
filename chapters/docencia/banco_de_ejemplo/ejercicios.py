"""Banco de ejemplo: un ejercicio de código que no está en los cuadernos del curso.

`EXERCISES` son los correctores; `WRONG`, las respuestas equivocadas con el diagnóstico que merecen.
Se comprueba con `python -m tfcourse docente banco CARPETA`.
"""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_weights(x, beta):
    """Cálculo independiente: cada media es una suma de pesos, sin recorrer la secuencia."""
    steps = torch.arange(x.shape[0], dtype=x.dtype)
    ages = steps[:, None] - steps
    weights = torch.where(ages >= 0, beta ** ages.clamp(min=0), torch.zeros_like(ages))
    return (weights / weights.sum(dim=1, keepdim=True)) @ x


def _average(start=0.0, swap=False, corrected=True, power=1):
    """La media móvil con alguna pieza cambiada: así se fabrican los errores típicos."""

    def average(x, beta):
        mean, means = torch.full_like(x[0], start), []
        for t, value in enumerate(x, start=power):
            keep, enter = (1 - beta, beta) if swap else (beta, 1 - beta)
            mean = keep * mean + enter * value
            means.append(mean / (1 - keep**t) if corrected and t else mean)
        return torch.stack(means)

    return average


def _series(length, size, beta, seed, dtype=torch.float32):
    return lambda: (*random_tensors((length, size), seed=seed, dtype=dtype), beta)


NOT_CORRECTED = _average(corrected=False)
SWAPPED = _average(swap=True)
LATE = _average(power=0)

AVERAGE = Exercise(
    Card(
        id="media-movil-corregida",
        title="La media móvil, sin el sesgo del principio",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir la media exponencial que usa Adam y corregir su arranque",
        hints=(
            "Empieza en cero: ¿cuánto vale la primera media si no la corriges?",
            "Tras t pasos, los pesos suman 1 − βᵗ: divide entre eso.",
            "mean = beta * mean + (1 - beta) * value; lo que se devuelve es mean / (1 - beta**t).",
        ),
    ),
    Task(
        function="moving_average",
        cases=(
            Case("diez pasos de tres números", _series(10, 3, 0.9, seed=0)),
            Case("un solo paso", _series(1, 4, 0.9, seed=1)),
            Case("una memoria corta", _series(6, 2, 0.3, seed=2)),
            Case("números de 64 bits", _series(5, 2, 0.8, seed=3, dtype=torch.float64)),
        ),
        reference=_by_weights,
        mistakes=(
            Mistake(
                "sin-corregir",
                "falta dividir entre 1 − βᵗ: las primeras medias salen demasiado pequeñas",
                (NOT_CORRECTED,),
            ),
            Mistake(
                "beta-cambiada",
                "has cambiado los papeles: β multiplica a la media anterior y 1 − β, al dato nuevo",
                (SWAPPED,),
            ),
            Mistake(
                "un-paso-tarde",
                "corriges con el exponente del paso anterior: el primer dato lleva t = 1",
                (LATE,),
            ),
        ),
    ),
)

EXERCISES = (AVERAGE,)
WRONG = {
    "media-movil-corregida": (
        ("sin-corregir", NOT_CORRECTED),
        ("beta-cambiada", SWAPPED),
        ("un-paso-tarde", LATE),
        ("sin-return", lambda x, beta: None),
    ),
}
