"""Ejercicio de código: deducir la pendiente de la pérdida varifocal."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

ALPHA = 0.75


def _by_numbers(logits, target):
    """Por diferencias, con el peso fijo en lo que vale en ese punto."""
    slopes = []
    pairs = torch.stack([logits.double().flatten(), target.double().flatten()], dim=1)
    for x, q in pairs.tolist():
        p = 1 / (1 + math.exp(-x))
        weight, step = q if q > 0 else ALPHA * p * p, 1e-5

        def loss(z, q=q, weight=weight):
            p = 1 / (1 + math.exp(-z))
            return -weight * (q * math.log(p) + (1 - q) * math.log(1 - p))

        slopes.append((loss(x + step) - loss(x - step)) / (2 * step))
    return torch.tensor(slopes).to(logits.dtype).view_as(logits)


def _variant(yes, no):
    def slope(logits, target):
        p = logits.sigmoid()
        return torch.where(target > 0, yes(p, target), no(p))

    return slope


def _yes(p, q):
    return q * (p - q)


def _no(p):
    return ALPHA * p**3


def _differentiated(p):
    return ALPHA * (p**3 - 2 * p**2 * (1 - p) * (1 - p).log())


def _case(shape, seed, none=False):
    def make():
        g = seeded(seed)
        quality = 0.2 + 0.7 * torch.rand(shape, generator=g)
        chosen = torch.rand(shape, generator=g) < (0.0 if none else 0.5)
        return 2 * torch.randn(shape, generator=g), quality * chosen

    return make


VARIFOCAL = Exercise(
    Card(
        id="pendiente-varifocal",
        title="La pendiente de la varifocal",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="deducir a mano hacia dónde empuja una pérdida, y programarlo",
        hints=(
            "La derivada de log σ(x) es 1 − σ(x), y la de log(1 − σ(x)), −σ(x).",
            "El peso es una constante: en el código sale de `logits.detach()`.",
            "En un sí, q·(p − q): ¿dónde vale cero? En un no, el peso por p.",
        ),
    ),
    Task(
        function="varifocal_slope",
        cases=(
            Case("síes y noes", _case((3, 4), 0)),
            Case("todos noes", _case((6,), 1, none=True)),
            Case("muchos", _case((5, 8), 2)),
            example(torch.tensor([0.0, 0.0]), torch.tensor([0.9, 0.0])),
        ),
        reference=_by_numbers,
        mistakes=(
            Mistake(
                "peso-derivado",
                "has derivado también el peso: es una constante, y por él no pasa el gradiente",
                (_variant(_yes, _differentiated),),
            ),
            Mistake(
                "si-sin-peso",
                "en los síes falta el peso, q",
                (_variant(lambda p, q: p - q, _no),),
            ),
            Mistake(
                "blanco-uno",
                "en los síes el blanco no es 1, sino la IoU",
                (
                    _variant(lambda p, q: q * (p - 1), _no),
                    _variant(lambda p, q: p - 1, _no),
                ),
            ),
            Mistake(
                "no-sin-alfa",
                "en los noes falta el 0,75",
                (_variant(_yes, lambda p: p**3),),
            ),
            Mistake(
                "no-sin-p",
                "en los noes has puesto solo el peso: falta la derivada de −log(1 − p), que es p",
                (_variant(_yes, lambda p: ALPHA * p**2),),
            ),
            Mistake(
                "no-sin-peso",
                "en los noes falta el peso, 0,75 · p²",
                (_variant(_yes, lambda p: p), _variant(_yes, lambda p: ALPHA * p)),
            ),
            Mistake(
                "signo",
                "el signo está al revés: es la pendiente, no lo que se da para bajar",
                (_variant(lambda p, q: -_yes(p, q), lambda p: -_no(p)),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
