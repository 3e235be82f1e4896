"""Ejercicio de código: muchos pasos de una recurrencia lineal, resumidos en uno."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_steps(a, b):
    """El paso que los resume se averigua dando dos estados de partida y viendo adónde llegan."""
    ends = []
    for start in (0.0, 1.0):
        h = torch.full_like(a[0], start)
        for a_t, b_t in zip(a, b, strict=True):
            h = a_t * h + b_t
        ends.append(h)
    return ends[1] - ends[0], ends[0]


def _after(a, include=False):
    """Producto de lo que viene después de cada paso; con `include`, también el suyo."""
    following = a.flip(0).cumprod(0).flip(0)
    return following if include else torch.cat([following[1:], torch.ones_like(a[:1])])


def _variant(weights, whole=lambda a: a.prod(0)):
    return lambda a, b: (whole(a), (weights(a) * b).sum(0))


def _before(a):
    return torch.cat([torch.ones_like(a[:1]), a[:-1]]).cumprod(0)


def _case(length, width, seed, closed=False):
    def make():
        a, b = random_tensors((length, width), (length, width), seed=seed, dtype=torch.float64)
        if closed:
            a[length // 2] = 0.0
        return a, b

    return make


JUMP = Exercise(
    Card(
        id="varios-pasos-en-uno",
        title="Muchos pasos en uno",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="deducir por qué una recurrencia lineal se puede calcular por trozos",
        hints=(
            "Empieza por dos pasos: sustituye h⁽¹⁾ = a₁h⁽⁰⁾ + b₁ en h⁽²⁾ = a₂h⁽¹⁾ + b₂ y agrupa. "
            "¿Qué multiplica a h⁽⁰⁾? ¿Y qué queda suelto?",
            "Lo que escribió el paso t lo han multiplicado después todos los a que vienen detrás, "
            "y el suyo no.",
            "Sirve un bucle que guarde el par (A, B) de lo que lleva: al llegar (a, b), el par "
            "nuevo es (a·A, a·B + b).",
        ),
    ),
    Task(
        function="one_step",
        cases=(
            Case("cinco pasos", _case(5, 3, seed=0)),
            Case("un solo paso", _case(1, 4, seed=1)),
            Case("dos pasos", _case(2, 2, seed=2)),
            Case("una compuerta cerrada a medio camino", _case(7, 2, seed=3, closed=True)),
            example(torch.tensor([[0.5], [2.0], [0.5]]), torch.tensor([[4.0], [1.0], [3.0]])),
        ),
        reference=_by_steps,
        outputs=("A", "B"),
        mistakes=(
            Mistake(
                "al-reves",
                "has multiplicado cada b por los a de antes: lo que se escribe en un paso lo "
                "cambian los que vienen después",
                (_variant(_before),),
            ),
            Mistake(
                "con-el-suyo",
                "has multiplicado cada b también por su propio a: en ese paso a multiplica a lo "
                "que había, y b se suma después",
                (_variant(lambda a: _after(a, include=True)),),
            ),
            Mistake(
                "sin-productos",
                "has sumado los b tal cual: cada uno lo multiplican los a de los pasos siguientes",
                (_variant(torch.ones_like),),
            ),
            Mistake(
                "suma-de-aes",
                "lo que multiplica al estado de partida es el producto de todos los a, y no su "
                "suma",
                (_variant(_after, whole=lambda a: a.sum(0)),),
            ),
            Mistake(
                "dividiendo",
                "has dividido entre un producto que puede valer cero: cuando una compuerta se "
                "cierra, a = 0; multiplica solo por los que vienen después",
                (_variant(lambda a: a.prod(0) / a.cumprod(0)),),
            ),
            Mistake(
                "orden",
                "has devuelto primero lo que se suma: el orden es lo que multiplica, A, y lo que "
                "se suma, B",
                (lambda a, b: _variant(_after)(a, b)[::-1],),
            ),
        ),
    ),
)
