"""Ejercicio de código: juntar dos lecturas en línea."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_rows(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    rows = []
    for row in range(len(top_1)):
        top = max(top_1[row].item(), top_2[row].item())
        first, second = (top_1[row] - top).exp(), (top_2[row] - top).exp()
        above = first * mixed_1[row] + second * mixed_2[row]
        rows.append(above / (first * total_1[row] + second * total_2[row]))
    return torch.stack(rows)


def _variant(shrink=None, on_total=True, on_mixed=True, divide=True, sign=1.0):
    """Junta con los factores que se digan."""

    def join(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
        top = torch.maximum(top_1, top_2)
        factors = [
            (sign * (t - top)).exp() if shrink is None else shrink(t) for t in (top_1, top_2)
        ]
        totals = [
            f * z if on_total else z for f, z in zip(factors, (total_1, total_2), strict=True)
        ]
        pairs = zip(factors, (mixed_1, mixed_2), strict=True)
        mixed = [f[:, None] * a if on_mixed else a for f, a in pairs]
        return sum(mixed) / sum(totals)[:, None] if divide else sum(mixed)

    return join


def _mean(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    return (mixed_1 / total_1[:, None] + mixed_2 / total_2[:, None]) / 2


def _one_top(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    """Un solo máximo para todas las filas: a las de puntajes bajos no les queda nada."""
    top = torch.maximum(top_1, top_2).max()
    first, second = (top_1 - top).exp(), (top_2 - top).exp()
    mixed = first[:, None] * mixed_1 + second[:, None] * mixed_2
    return mixed / (first * total_1 + second * total_2)[:, None]


def _far_apart(seed):
    """Filas de puntajes muy distintos: la de −200, la de 0 y la de 200, y mitades muy distintas."""

    def make():
        states = []
        for half, shifts in enumerate(((-200.0, 0.0, 200.0), (-201.0, 200.0, 199.0))):
            scores, values = random_tensors((3, 5), (5, 2), seed=2 * seed + half)
            scores = scores + torch.tensor(shifts)[:, None]
            top = scores.amax(dim=-1)
            weights = (scores - top[:, None]).exp()
            states += [top, weights.sum(-1), weights @ values]
        return tuple(states)

    return make


def _case(length, d, seed, shift=0.0, apart=0.0):
    def make():
        states = []
        for half in range(2):
            scores, values = random_tensors((length, 5), (5, d), seed=2 * seed + half)
            scores = scores + shift + apart * half
            top = scores.amax(dim=-1)
            weights = (scores - top[:, None]).exp()
            states += [top, weights.sum(-1), weights @ values]
        return tuple(states)

    return make


STATES = Exercise(
    Card(
        id="unir-estados",
        title="Juntar dos lecturas en línea",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="deducir cómo se reescalan dos lecturas medidas con máximos distintos",
        hints=(
            "La mezcla de la primera lectura está multiplicada por e^(−m₁) y la de la segunda, por "
            "e^(−m₂). Para sumarlas hay que medirlas con la misma regla.",
            "Elige el mayor de los dos máximos, m: la primera se multiplica por e^(m₁ − m) y la "
            "segunda, por e^(m₂ − m). Con las sumas de exponenciales pasa lo mismo.",
            "torch.maximum(top_1, top_2) da el máximo de cada fila; los factores miden (L,), así "
            "que para la mezcla les falta un eje al final. Se divide una vez, al acabar.",
        ),
    ),
    Task(
        function="join_states",
        cases=(
            Case("4 consultas de 3 dimensiones", _case(4, 3, 0)),
            Case("una sola consulta", _case(1, 2, 1)),
            Case("la segunda mitad pesa mucho más", _case(3, 4, 2, apart=9.0)),
            Case("puntajes enormes", _case(3, 3, 3, shift=300.0)),
            Case("unas filas en −200, otras en 200", _far_apart(4)),
            example(*map(torch.tensor, ([0.0], [2.0], [[2.0]], [0.0], [2.0], [[6.0]]))),
        ),
        reference=_by_rows,
        mistakes=(
            Mistake(
                "sin-reescalar",
                "has sumado los dos estados tal cual, pero cada uno está medido con su máximo: "
                "antes hay que reescalarlos al mayor de los dos",
                (_variant(on_total=False, on_mixed=False),),
            ),
            Mistake(
                "suma-sin-reescalar",
                "has reescalado las mezclas y no las sumas de exponenciales: las dos cosas están "
                "medidas con el mismo máximo",
                (_variant(on_total=False),),
            ),
            Mistake(
                "mezcla-sin-reescalar",
                "has reescalado las sumas y no las mezclas: las dos cosas están medidas con el "
                "mismo máximo",
                (_variant(on_mixed=False),),
            ),
            Mistake(
                "al-reves",
                "el factor va al revés: es la exponencial del máximo viejo menos el nuevo, y nunca "
                "pasa de 1",
                (_variant(sign=-1.0),),
            ),
            Mistake(
                "sin-dividir",
                "falta dividir entre la suma de exponenciales, una vez y al final",
                (_variant(divide=False),),
            ),
            Mistake(
                "media",
                "has hecho la media de las dos mezclas: cada una pesa lo que su suma de "
                "exponenciales",
                (_mean,),
            ),
            Mistake(
                "un-solo-maximo",
                "has tomado el mayor de todas las filas: a la que tiene puntajes muy bajos no le "
                "queda nada y se divide 0 entre 0. El máximo es el de cada fila",
                (_one_top,),
            ),
            Mistake(
                "desborda",
                "la cuenta es la buena, pero la exponencial se sale de rango: resta antes el mayor "
                "de los dos máximos",
                (_variant(shrink=torch.exp),),
            ),
        ),
    ),
)
