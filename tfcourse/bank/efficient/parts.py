"""Ejercicio de código: juntar dos atenciones parciales."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(mixed_1, log_1, mixed_2, log_2):
    rows = []
    for a, log_a, b, log_b in zip(mixed_1, log_1, mixed_2, log_2, strict=True):
        top = max(log_a.item(), log_b.item())
        weight_a, weight_b = (log_a - top).exp(), (log_b - top).exp()
        rows.append((weight_a * a + weight_b * b) / (weight_a + weight_b))
    return torch.stack(rows)


def _weighted(weight_of):
    def merge(mixed_1, log_1, mixed_2, log_2):
        first, second = weight_of(log_1, log_2)
        return first[:, None] * mixed_1 + second[:, None] * mixed_2

    return merge


def _shares(log_1, log_2):
    return torch.stack([log_1, log_2]).softmax(dim=0)


def _case(length, d, seed, scale=1.0, shift=0.0):
    def make():
        a, log_a, b, log_b = random_tensors(
            (length, d), (length,), (length, d), (length,), seed=seed
        )
        return a, scale * log_a + shift, b, scale * log_b + shift

    return make


def _overflowing(log_1, log_2):
    total = log_1.exp() + log_2.exp()
    return log_1.exp() / total, log_2.exp() / total


PARTS = Exercise(
    Card(
        id="juntar-partes",
        title="Juntar dos mitades",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="recuperar un softmax entero a partir de dos trozos, sin desbordar",
        hints=(
            "Cada mezcla pesa lo que su denominador, y el denominador es la exponencial de su "
            "logaritmo.",
            "Los dos pesos suman 1 en cada fila. ¿Qué función convierte dos números cualesquiera "
            "en "
            "dos pesos que suman 1?",
            "torch.stack([log_1, log_2]).softmax(dim=0) da los dos pesos, ya sin desbordar; les "
            "falta un eje al final para multiplicar a las mezclas.",
        ),
    ),
    Task(
        function="merge",
        cases=(
            Case("5 consultas de 4 dimensiones", _case(5, 4, 0)),
            Case("una sola consulta", _case(1, 3, 1)),
            Case("una parte pesa mucho más", _case(4, 2, 2, scale=8.0)),
            Case("denominadores enormes", _case(3, 3, 3, shift=200.0)),
            Case("denominadores minúsculos", _case(3, 3, 4, shift=-200.0)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "media",
                "has hecho la media de las dos mezclas: cada una debe pesar lo que su denominador",
                (_weighted(lambda a, b: (torch.full_like(a, 0.5), torch.full_like(b, 0.5))),),
            ),
            Mistake(
                "cambiadas",
                "has cruzado los pesos: el de la primera mezcla sale del primer logaritmo",
                (_weighted(lambda a, b: _shares(b, a)),),
            ),
            Mistake(
                "sin-exponencial",
                "has usado los logaritmos como pesos: el denominador es su exponencial",
                (_weighted(lambda a, b: (a / (a + b), b / (a + b))),),
            ),
            Mistake(
                "sin-dividir",
                "te falta dividir entre la suma de los dos denominadores: los pesos deben sumar 1",
                (_weighted(lambda a, b: (a.exp(), b.exp())),),
            ),
            Mistake(
                "desborda",
                "la cuenta es la buena, pero la exponencial se sale de rango: resta antes a los "
                "dos logaritmos el mayor, o usa softmax, que ya lo hace",
                (_weighted(_overflowing),),
            ),
            Mistake(
                "suma",
                "has sumado las dos mezclas: los pesos deben sumar 1",
                (_weighted(lambda a, b: (torch.ones_like(a), torch.ones_like(b))),),
            ),
        ),
    ),
)
