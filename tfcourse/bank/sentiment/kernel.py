"""Ejercicio de código: la decisión de una SVM con núcleo gaussiano."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(x, support, weights, bias, gamma):
    values = []
    for row in x:
        total = bias
        for vector, weight in zip(support, weights, strict=True):
            total = total + weight * torch.exp(-gamma * ((row - vector) ** 2).sum())
        values.append(total)
    return torch.stack(values)


def _kernel(x, support, gamma, power=2, sign=-1.0):
    return torch.exp(sign * gamma * torch.cdist(x, support) ** power)


def _variant(kernel=_kernel, *, with_bias=True, absolute=False, normalized=False, **options):
    def decide(x, support, weights, bias, gamma):
        values = kernel(x, support, gamma, **options)
        if normalized:
            values = values / values.sum(dim=-1, keepdim=True)
        return values @ (weights.abs() if absolute else weights) + (bias if with_bias else 0.0)

    return decide


def _case(n, n_support, width, gamma, seed):
    def make():
        tensors = random_tensors((n, width), (n_support, width), (n_support,), (), seed=seed)
        return *tensors, torch.tensor(gamma)

    return make


KERNEL = Exercise(
    Card(
        id="decidir-por-parecido",
        title="Decidir por parecido",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="calcular la decisión de una SVM a partir de sus vectores de soporte",
        hints=(
            "Hacen falta las distancias al cuadrado de cada consulta a cada vector de soporte.",
            "torch.cdist(x, support) da las distancias, `(N, S)`; falta elevarlas al cuadrado.",
            "Cada fila del núcleo, por los pesos, y más el sesgo: `kernel @ weights + bias`.",
        ),
    ),
    Task(
        function="svm_decision",
        cases=(
            Case("3 consultas y 5 vectores", _case(3, 5, 4, 0.3, 0)),
            Case("20 consultas", _case(20, 8, 6, 0.1, 1)),
            Case("núcleo estrecho", _case(6, 10, 3, 1.5, 2)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-cuadrado",
                "la distancia va al cuadrado: exp(−γ d²), no exp(−γ d)",
                (_variant(power=1),),
            ),
            Mistake(
                "signo",
                "falta el signo menos: así, cuanto más lejos, más se parecería",
                (_variant(sign=1.0),),
            ),
            Mistake(
                "lineal",
                "has usado el producto escalar: ese es el núcleo lineal",
                (_variant(lambda x, support, gamma: x @ support.T),),
            ),
            Mistake("sin-sesgo", "falta sumar el sesgo", (_variant(with_bias=False),)),
            Mistake(
                "normalizado",
                "has repartido los parecidos para que sumen 1: eso es atención; una SVM no lo hace",
                (_variant(normalized=True),),
            ),
            Mistake(
                "sin-clase",
                "los pesos llevan el signo de la clase de cada vector: no tomes su valor absoluto",
                (_variant(absolute=True),),
            ),
            Mistake(
                "sin-gamma",
                "falta γ, que dice a qué distancia deja de haber parecido",
                (lambda x, s, w, b, gamma: _kernel(x, s, 1.0) @ w + b,),
            ),
        ),
    ),
)
