"""Ejercicio de código: cuántas entradas de cada tabla se usan de verdad."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(counts):
    """Tabla a tabla, con los logaritmos de Python."""
    found = []
    for row in counts.tolist():
        total = sum(row)
        shares = [n / total for n in row if n > 0]
        found.append(math.exp(-sum(p * math.log(p) for p in shares)))
    return torch.tensor(found)


def _variant(power=math.e, exponent=True, sign=-1, whole=False, seen=False, smooth=0.0, raw=False):
    def used(counts):
        if seen:
            return (counts > 0).sum(dim=-1).float()
        total = counts.sum() if whole else counts.sum(dim=-1, keepdim=True)
        shares = (counts + smooth) / (1 if raw else total)
        log = shares.clamp(min=1e-30).log() / math.log(power)
        entropy = sign * (shares * log).sum(dim=-1)
        return entropy.exp() if exponent else entropy

    return used


def _case(values):
    return lambda: (torch.tensor(values),)


def _random_case(seed):
    """Dos tablas con sus entradas más y menos usadas; en la segunda hay una sin elegir."""

    def make():
        random = chance(seed)
        tables = [random.sample(range(1, 60), 5) for _ in range(2)]
        tables[1][random.randrange(5)] = 0
        return (torch.tensor(tables, dtype=torch.float32),)

    return make


PERPLEXITY = Exercise(
    Card(
        id="entradas-en-uso",
        title="Entradas en uso",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="medir con la perplejidad cuántas entradas de una tabla se usan",
        hints=(
            "Divide cada fila entre su suma: son los repartos.",
            "La entropía es −Σ p log p; torch.xlogy(p, p) da 0 donde p es 0, y no NaN.",
            "La perplejidad es la exponencial de la entropía, con el mismo logaritmo.",
        ),
    ),
    Task(
        function="codes_in_use",
        cases=(
            Case("todas por igual", _case([[5.0, 5.0, 5.0, 5.0]])),
            Case("una sola", _case([[0.0, 9.0, 0.0]])),
            Case("dos tablas", _case([[6.0, 2.0, 1.0, 0.0], [3.0, 3.0, 1.0, 2.0]])),
            Case("muy desiguales", _case([[90.0, 1.0, 1.0], [1.0, 1.0, 40.0]])),
            Case("dos tablas al azar", _random_case(seed=0)),
            Case("otras dos tablas", _random_case(seed=1)),
            example(torch.tensor([[5.0, 5.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-exponencial",
                "has devuelto la entropía: falta la exponencial",
                (_variant(exponent=False), _variant(exponent=False, power=2.0)),
            ),
            Mistake(
                "bases-mezcladas",
                "has mezclado bases: con el logaritmo en base 2, la potencia también es en base 2",
                (_variant(power=2.0),),
            ),
            Mistake(
                "signo",
                "te falta el signo menos de la entropía",
                (_variant(sign=1),),
            ),
            Mistake(
                "todas-las-tablas",
                "has dividido entre el total de todas las tablas: cada una tiene su reparto",
                (_variant(whole=True),),
            ),
            Mistake(
                "vistas",
                "has contado las que aparecen alguna vez: una que sale una vez no cuenta como una "
                "que sale siempre",
                (_variant(seen=True),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
