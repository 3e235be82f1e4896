"""Ejercicio de código: encontrar los tres fallos de un programa que dibuja con guía."""

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Task, combined, example

SLACK = 1.1


def _number_by_number(x, told, plain, guidance, n_steps):
    """Cada componente por su lado, con la cuenta despejada."""
    rows = x.clone()
    goal = guidance * told + (1 - guidance) * plain  # las dos velocidades tienen el mismo divisor
    for step in range(n_steps):
        rows = rows + (goal - rows) / (n_steps * SLACK - step)
    return rows


def _faulty(late: bool, doubled: bool, long: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def drawn(x, told, plain, guidance, n_steps):
        for step in range(n_steps):
            t = (step + 1 if late else step) / n_steps
            with_class, without = (told - x) / (SLACK - t), (plain - x) / (SLACK - t)
            start = with_class if doubled else without
            velocity = start + guidance * (with_class - without)
            x = x + (t if long else 1 / n_steps) * velocity
        return x

    return drawn


FAULTS = {
    "instantes": "el instante de cada paso es el del final del paso, y no el del principio",
    "guia": "la guía sale de la velocidad con la clase: con guía 1 ya exagera",
    "paso": "lo que se avanza es el instante, y no lo que dura un paso",
}


def _case(n, width, n_steps, seed, guidance=None):
    def make():
        x, told, plain = random_tensors((n, width), (width,), (width,), seed=seed,
                                        dtype=torch.float64)  # fmt: skip
        chosen = chance(seed).choice((0.5, 2.0, 3.0)) if guidance is None else guidance
        return x, told, plain, chosen, n_steps

    return make


FAULTS_DRAWING = Exercise(
    Card(
        id="fallos-del-dibujante",
        title="Tres fallos al dibujar",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encontrar los fallos de un dibujante por lo que hace en casos que se conocen",
        hints=(
            "Prueba con guía 1: tiene que salir lo mismo que con la velocidad de la clase y nada "
            "más. Con guía 0, lo mismo que sin decirla.",
            "Con un solo paso, ¿en qué instante se pregunta la velocidad, y cuánto se avanza?",
            "Los pasos duran todos lo mismo, y entre todos suman 1.",
        ),
    ),
    Task(
        function="drawn",
        cases=(
            Case("4 puntos, 5 pasos", _case(4, 3, 5, 0)),
            Case("6 puntos, 8 pasos", _case(6, 2, 8, 1)),
            Case("un solo paso", _case(3, 2, 1, 2)),
            Case("guía 1", _case(3, 4, 6, 3, guidance=1.0)),
            Case("guía 0", _case(3, 4, 6, 4, guidance=0.0)),
            example(torch.tensor([[0.0]]), torch.tensor([1.1]), torch.tensor([0.0]), 2.0, 1),
        ),
        reference=_number_by_number,
        mistakes=tuple(combined(FAULTS, _faulty)),
    ),
)
