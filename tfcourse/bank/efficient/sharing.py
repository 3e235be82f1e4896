"""Ejercicio de código: cuánto se parecen los repartos de dos capas."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(p, q):
    rows = []
    for a, b in zip(p.tolist(), q.tolist(), strict=True):
        total = 0.0
        for x, y in zip(a, b, strict=True):
            middle = (x + y) / 2
            total += sum(z * math.log2(z / middle) for z in (x, y) if z > 0) / 2
        rows.append(total)
    return torch.tensor(rows, dtype=p.dtype)


def _entropy_terms(p, log):
    return torch.where(p > 0, p * log(p.clamp(min=1e-30)), 0.0).sum(-1)


def _variant(log=torch.log2, half=1.0, middle=True):
    def divergence(p, q):
        m = (p + q) / 2
        if not middle:
            return half * (_kl(p, q, log) + _kl(q, p, log)) / 2
        whole = _entropy_terms(p, log) / 2 + _entropy_terms(q, log) / 2 - _entropy_terms(m, log)
        return half * whole

    return divergence


def _kl(p, q, log=torch.log2):
    return (p * log(p / q)).sum(-1)


def _plain(p, q):
    m = (p + q) / 2
    return (_kl(p, m) + _kl(q, m)) / 2


def _case(n, length, seed, sharp=1.0, zeros=False):
    def make():
        p, q = (sharp * x for x in random_tensors((n, length), (n, length), seed=seed))
        if zeros:
            p[:, ::2], q[:, 1::3] = -math.inf, -math.inf
        return p.softmax(-1), q.softmax(-1)

    return make


DIVERGENCE = Exercise(
    Card(
        id="divergencia-js",
        title="¿Miran igual dos capas?",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="comparar repartos de peso, también cuando alguno vale cero",
        hints=(
            "Calcula primero el reparto medio, m = (p + q)/2, y mide cuánto se aparta cada uno de "
            "él.",
            "KL(p ‖ m) = Σ p · log₂(p/m). Donde p vale 0, ese término vale 0: que no salga NaN.",
            "torch.where(p > 0, p / m, 1.0).log2() vale 0 donde p es 0; o torch.xlogy, que ya sabe "
            "que 0 · log 0 es 0.",
        ),
    ),
    Task(
        function="js_divergence",
        cases=(
            Case("4 repartos sobre 5 claves", _case(4, 5, 0)),
            Case("repartos nítidos", _case(3, 6, 1, sharp=3.0)),
            Case("con pesos nulos", _case(3, 7, 2, zeros=True)),
            Case("un reparto consigo mismo", lambda: (_case(2, 4, 3)()[0],) * 2),
            example(torch.tensor([[1.0, 0.0], [0.5, 0.5]]), torch.tensor([[0.0, 1.0], [0.5, 0.5]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "nan-en-los-ceros",
                "sale NaN cuando un peso vale 0, porque 0 · log 0 no está definido: ese término "
                "debe valer 0",
                (_plain,),
            ),
            Mistake(
                "en-nats",
                "has usado el logaritmo natural: se pide en bits, con log₂, para que vaya de 0 a 1",
                (_variant(log=torch.log),),
            ),
            Mistake(
                "sin-el-medio",
                "has medido cuánto se aparta un reparto del otro: se mide cuánto se aparta cada "
                "uno "
                "del reparto medio",
                (
                    _kl,
                    lambda p, q: _kl(q, p),
                    _variant(middle=False),
                    _variant(middle=False, half=2),
                ),
            ),
            Mistake(
                "sin-la-mitad",
                "has sumado las dos divergencias: es su media",
                (_variant(half=2.0),),
            ),
            Mistake(
                "parecido",
                "has devuelto el parecido, 1 − JS: se pide la divergencia",
                (lambda p, q: 1 - _variant()(p, q),),
            ),
        ),
        differentiable=False,
    ),
)
