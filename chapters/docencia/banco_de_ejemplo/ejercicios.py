"""Banco de ejemplo: dos ejercicios que no están en los cuadernos del curso.

Uno es de código, y sus datos salen de `random_tensors`: al corregir son otros. El otro es de
comprender, y `_draw` da a cada estudiante sus propias constantes.

`EXERCISES` son los correctores; `WRONG`, las respuestas equivocadas con el diagnóstico que merecen.
Se comprueba con `python -m tfcourse docente banco CARPETA`.
"""

import math
from random import Random

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


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

EXPONENTS = (1, 2, 3, 1)  # las probabilidades son potencias de 1/2: la cuenta sale a mano
DRAWN = range(1, 7)

PERPLEXITY_CARD = Card(
    id="perplejidad-a-mano",
    title="La perplejidad, a mano",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=2,
    objective="pasar de las probabilidades de un modelo de lenguaje a sus bits y su perplejidad",
    hints=(
        "Una palabra a la que el modelo da una probabilidad de 1/8 cuesta 3 bits: 8 = 2³.",
        "Suma los bits de las cuatro palabras y divide entre cuatro; la perplejidad es 2 elevado a "
        "esa media.",
    ),
)


def _of(bits, base=2.0, unit=1.0):
    """La respuesta de quien gasta esos bits por palabra."""
    return lambda: (unit * bits, base**bits)


def _perplexity_task(exponents) -> Task:
    bits = sum(exponents) / len(exponents)
    arithmetic = -math.log2(sum(2.0**-e for e in exponents) / len(exponents))
    return Task(
        function="perplexity",
        cases=(Case("la frase de cuatro palabras", lambda: ()),),
        reference=_of(bits),
        outputs=("bits", "perplejidad"),
        mistakes=(
            Mistake(
                "en-nats",
                "has usado el logaritmo natural: eso son nats, y se piden bits",
                (_of(bits, unit=math.log(2)),),
            ),
            Mistake(
                "sin-media",
                "has sumado los bits de todas las palabras: se pide la media por palabra",
                (_of(bits * len(exponents)),),
            ),
            Mistake(
                "media-de-probabilidades",
                "has hecho la media de las probabilidades: lo que se promedia son los bits",
                (_of(arithmetic),),
            ),
            Mistake(
                "base-e",
                "los bits son correctos, pero la perplejidad es 2, y no e, elevado a ellos",
                (_of(bits, base=math.e),),
            ),
        ),
        tolerance=4e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras cuatro probabilidades, todas distintas."""
    exponents = random.sample(DRAWN, 4)
    changes = ((_told(EXPONENTS), _told(exponents)),)
    return Variant(Exercise(PERPLEXITY_CARD, _perplexity_task(exponents)), changes)


def _told(exponents) -> str:
    return rf"p = ({', '.join(f'1/{2**e}' for e in exponents)})"


PERPLEXITY = Exercise(PERPLEXITY_CARD, _perplexity_task(EXPONENTS), _draw)

EXERCISES = (AVERAGE, PERPLEXITY)
WRONG = {
    "perplejidad-a-mano": (
        ("en-nats", lambda: (1.75 * math.log(2), 2**1.75)),
        ("sin-media", lambda: (7, 128)),
        ("media-de-probabilidades", lambda: (-math.log2(11 / 32), 32 / 11)),
        ("base-e", lambda: (1.75, math.exp(1.75))),
    ),
    "media-movil-corregida": (
        ("sin-corregir", NOT_CORRECTED),
        ("beta-cambiada", SWAPPED),
        ("un-paso-tarde", LATE),
        ("sin-return", lambda x, beta: None),
    ),
}
