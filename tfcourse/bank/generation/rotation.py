"""Ejercicio de código: girar parejas de componentes vecinas."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(x, angles):
    out = torch.empty_like(x)
    for place in range(x.shape[0]):
        for pair in range(x.shape[1] // 2):
            a, b = x[place, 2 * pair], x[place, 2 * pair + 1]
            c, s = angles[place, pair].cos(), angles[place, pair].sin()
            out[place, 2 * pair] = a * c - b * s
            out[place, 2 * pair + 1] = a * s + b * c
    return out


def _turned(first, second, angles):
    c, s = angles.cos(), angles.sin()
    return first * c - second * s, first * s + second * c


def _interleaved(x, angles):
    return torch.stack(_turned(x[:, ::2], x[:, 1::2], angles), dim=-1).flatten(1)


def _halves(x, angles):
    return torch.cat(_turned(*x.chunk(2, dim=1), angles), dim=1)


def _not_interleaved(x, angles):
    return torch.cat(_turned(x[:, ::2], x[:, 1::2], angles), dim=1)


def _swapped(x, angles):
    a, b, c, s = x[:, ::2], x[:, 1::2], angles.cos(), angles.sin()
    return torch.stack([a * s - b * c, a * c + b * s], dim=-1).flatten(1)


def _same_sign(x, angles):
    a, b, c, s = x[:, ::2], x[:, 1::2], angles.cos(), angles.sin()
    return torch.stack([a * c + b * s, a * s + b * c], dim=-1).flatten(1)


def _case(length, d, seed):
    def make():
        x, angles = random_tensors((length, d), (length, d // 2), seed=seed)
        return x, 2 * angles

    return make


ROTATION = Exercise(
    Card(
        id="girar-vecinas",
        title="Girar parejas vecinas",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="escribir RoPE con las parejas del artículo",
        hints=(
            "x[:, ::2] son las primeras de cada pareja y x[:, 1::2], las segundas.",
            "El giro de (a, b) es (a cos φ − b sen φ, a sen φ + b cos φ).",
            "Para intercalar otra vez: torch.stack([primeras, segundas], dim=-1).flatten(1).",
        ),
    ),
    Task(
        function="rotate_neighbours",
        cases=(
            Case("5 posiciones de 8 componentes", _case(5, 8, 0)),
            Case("una posición", _case(1, 4, 1)),
            Case("una sola pareja", _case(4, 2, 2)),
            example(torch.tensor([[1.0, 0.0, 0.0, 2.0]]), torch.tensor([[0.0, 3.1416]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "por-mitades",
                "has emparejado la primera mitad con la segunda, como Llama: aquí se pide la del "
                "artículo, (0, 1), (2, 3)…",
                (_halves,),
            ),
            Mistake(
                "sin-intercalar",
                "el giro está bien, pero has dejado todas las primeras delante: cada pareja vuelve "
                "a sus dos sitios",
                (_not_interleaved,),
            ),
            Mistake(
                "hacia-atras",
                "has girado al revés: el seno que resta va en la primera componente",
                (lambda x, angles: _interleaved(x, -angles),),
            ),
            Mistake(
                "seno-por-coseno",
                "has cambiado el seno por el coseno: con ángulo cero el vector no debe moverse",
                (_swapped,),
            ),
            Mistake(
                "sin-signo",
                "falta un signo menos: así el vector cambia de longitud, y un giro no la cambia",
                (_same_sign,),
            ),
        ),
    ),
)
