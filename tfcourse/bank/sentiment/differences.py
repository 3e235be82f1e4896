"""Ejercicio abierto: ¿bastan las parejas de palabras?"""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(first, second):
    gaps = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    n, mean = len(gaps), sum(gaps) / len(gaps)
    variance = sum((gap - mean) ** 2 for gap in gaps) / (n - 1)
    return torch.tensor([mean, math.sqrt(variance / n)])


def _variant(error, *, sign=1):
    def compare(first, second):
        a, b = first.double(), second.double()
        return torch.stack([sign * (a - b).mean(), error(a, b)]).float()

    return compare


def _root(n):
    return math.sqrt(n)


def _case(n, right_a, right_b, seed):
    def make():
        generator = seeded(seed)
        hard = torch.rand(n, generator=generator)
        wobble = 0.2 * torch.rand(2, n, generator=generator)
        return hard + wobble[0] < right_a, hard + wobble[1] < right_b

    return make


DIFFERENCES = Exercise(
    Card(
        id="bastan-las-parejas",
        title="¿Bastan las parejas de palabras?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir una diferencia entre dos modelos con su error, y diseñar una comparación",
        hints=(
            "Resta texto a texto: cada resta vale 1, 0 o −1.",
            "El error típico de una media es la desviación típica entre √n; la desviación, con "
            "n − 1.",
            "Para el experimento: cambia solo cuántas palabras seguidas se cuentan, y mira el "
            "contraste y la negación por separado.",
        ),
    ),
    Task(
        function="paired_difference",
        cases=(
            Case("300 textos", _case(300, 0.8, 0.7, 0)),
            Case("40 textos", _case(40, 0.6, 0.75, 1)),
            Case("iguales de buenos", _case(500, 0.7, 0.7, 2)),
            example(
                torch.tensor([True, True, False, True]), torch.tensor([True, False, False, False])
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "por-separado",
                "has sumado las varianzas de los dos como si hubieran leído textos distintos: son "
                "los mismos, y lo que varía es la resta",
                (
                    _variant(lambda a, b: ((a.var() + b.var()) / len(a)).sqrt()),
                    _variant(
                        lambda a, b: (
                            (a.mean() * (1 - a.mean()) + b.mean() * (1 - b.mean())) / len(a)
                        ).sqrt()
                    ),
                ),
            ),
            Mistake(
                "sin-raiz-de-n",
                "eso es la desviación típica de las restas: la de su media es √n veces menor",
                (_variant(lambda a, b: (a - b).std()),),
            ),
            Mistake(
                "varianza",
                "eso es la varianza: falta la raíz cuadrada",
                (
                    _variant(lambda a, b: (a - b).var() / len(a)),
                    _variant(lambda a, b: (a - b).var()),
                ),
            ),
            Mistake(
                "entre-n",
                "la desviación típica se calcula dividiendo entre n − 1",
                (_variant(lambda a, b: (a - b).std(correction=0) / _root(len(a))),),
            ),
            Mistake(
                "cambiados",
                "el signo está cambiado: es el primero menos el segundo",
                (_variant(lambda a, b: (a - b).std() / _root(len(a)), sign=-1),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
