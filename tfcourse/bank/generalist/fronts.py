"""Ejercicio abierto: cuánto manda lo que va delante."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _gap(own, other, sign=1.0, lost=1, root=True, paired=True):
    """La media de las diferencias y su error típico, cuenta a cuenta."""
    a, b = own.tolist(), other.tolist()
    n = len(a)
    gaps = [x - y for x, y in zip(a, b, strict=True)]
    mean = sum(gaps) / n
    spread = _variance(gaps, lost) if paired else _variance(a, lost) + _variance(b, lost)
    return sign * mean, math.sqrt(spread / n if root else spread)


def _variance(values, lost):
    mean = sum(values) / len(values)
    return sum((x - mean) ** 2 for x in values) / (len(values) - lost)


def _by_counting(own, other):
    return _gap(own, other)


def _variant(**change):
    return lambda own, other: _gap(own, other, **change)


def _by_n(own, other):
    mean, error = _gap(own, other, root=False)
    return mean, error / len(own)


def _case(n, seed):
    def make():
        g = seeded(seed)
        starts = torch.rand(n, generator=g)  # hay comienzos más fáciles que otros
        own, other = starts + 0.2 * torch.rand(2, n, generator=g)
        return own, other - 0.3

    return make


FRONTS = Exercise(
    Card(
        id="lo-que-va-delante",
        title="Lo que va delante",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir de qué depende lo que hace un agente, comparando episodio a episodio",
        hints=(
            "Resta episodio a episodio: los dos empiezan en el mismo sitio, y lo que tenga de "
            "fácil se va con la resta.",
            "El error típico de una media es la desviación típica de lo que se promedia, dividida "
            "entre la raíz de cuántos son.",
            "`gaps = own - other`; después, `gaps.mean()` y `gaps.std() / len(gaps) ** 0.5`.",
        ),
    ),
    Task(
        function="paired_gap",
        cases=(
            Case("cinco episodios", _case(5, 0)),
            Case("doce episodios", _case(12, 1)),
            Case("treinta episodios", _case(30, 2)),
            example(torch.tensor([1.0, 1.0, 1.0, 1.0]), torch.tensor([1.0, 0.0, 1.0, 0.0])),
        ),
        reference=_by_counting,
        outputs=("la diferencia media", "su error típico"),
        differentiable=False,
        mistakes=(
            Mistake(
                "al-reves",
                "el signo está al revés: se pide cuánto se pierde, lo suyo menos lo otro",
                (_variant(sign=-1.0),),
            ),
            Mistake(
                "sin-emparejar",
                "has juntado lo que varía cada lista por su cuenta: resta primero, episodio a "
                "episodio",
                (_variant(paired=False),),
            ),
            Mistake(
                "desviacion",
                "eso es lo que varía un episodio: el error de la media se divide entre la raíz de "
                "cuántos son",
                (_variant(root=False),),
            ),
            Mistake(
                "entre-n",
                "has dividido entre cuántos son: es entre su raíz",
                (_by_n,),
            ),
            Mistake(
                "sin-corregir",
                "la desviación de una muestra se divide entre n − 1, que es lo que hace `std()`",
                (_variant(lost=0),),
            ),
        ),
    ),
)
