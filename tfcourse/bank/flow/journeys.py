"""Ejercicio de código: preparar un lote de viajes, con la clase a veces callada."""

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(noise, data, times, classes, silent, no_class):
    """Ejemplo a ejemplo."""
    places, speeds, said = [], [], []
    for start, end, when, label, quiet in zip(noise, data, times, classes, silent, strict=True):
        places.append(start + when * (end - start))
        speeds.append(end - start)
        said.append(no_class if quiet else int(label))
    return torch.stack(places), torch.stack(speeds), torch.tensor(said)


def _column(times, data):
    return times.view(-1, *[1] * (data.ndim - 1))


def _variant(back=False, speed=lambda place, noise, data: data - noise, quiet=lambda s: s):
    def journeys(noise, data, times, classes, silent, no_class):
        when = _column(1 - times if back else times, data)
        place = (1 - when) * noise + when * data
        said = classes.masked_fill(quiet(silent), no_class)
        return place, speed(place, noise, data), said

    return journeys


def _case(n, shape, seed, dtype=torch.float32):
    def make():
        generator = seeded(seed)
        noise, data = random_tensors((n, *shape), (n, *shape), seed=seed, dtype=dtype)
        times = torch.rand(n, generator=generator, dtype=torch.float64).to(dtype)
        classes = torch.randint(0, 10, (n,), generator=generator)
        silent = torch.rand(n, generator=generator) < 0.4
        silent[:2] = torch.tensor([True, False])
        return noise, data, times, classes, silent, 10

    return make


def _edges():
    noise, data = random_tensors((3, 2), (3, 2), seed=5)
    silent = torch.tensor([False, True, False])
    return noise, data, torch.tensor([0.0, 0.5, 1.0]), torch.tensor([4, 0, 2]), silent, 7


JOURNEYS = Exercise(
    Card(
        id="un-lote-de-viajes",
        title="Un lote de viajes",
        kind="codigo",
        difficulty=1,
        minutes=12,
        points=2,
        objective="preparar lo que la red lee y lo que se le pide en un lote",
        hints=(
            "El instante tiene un número por ejemplo: para multiplicar imágenes enteras necesita "
            "tantos ejes como ellas, con `view(-1, 1, 1, 1)` si tienen cuatro.",
            "La velocidad de una recta es la misma en todo el viaje y no depende del instante.",
            "Para callar la clase de algunos ejemplos: `classes.masked_fill(silent, no_class)`.",
        ),
    ),
    Task(
        function="journeys",
        cases=(
            Case("6 imágenes de un canal", _case(6, (1, 4, 4), 0)),
            Case("5 imágenes de tres canales", _case(5, (3, 2, 2), 1)),
            Case("puntos sueltos, de 64 bits", _case(8, (2,), 2, dtype=torch.float64)),
            Case("al salir, a medio camino y al llegar", _edges),
            example(
                torch.tensor([[0.0, 2.0]]),
                torch.tensor([[4.0, 0.0]]),
                torch.tensor([0.25]),
                torch.tensor([3]),
                torch.tensor([True]),
                10,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "al-reves",
                "vas del dato al ruido: en el instante 0 está el ruido y en el 1, el dato",
                (_variant(back=True),),
            ),
            Mistake(
                "velocidad-al-reves",
                "la velocidad va del dato al ruido: es el dato menos el ruido",
                (_variant(speed=lambda place, noise, data: noise - data),),
            ),
            Mistake(
                "lo-que-falta",
                "eso es lo que falta para llegar: la velocidad es la de la recta entera, dato "
                "menos ruido",
                (_variant(speed=lambda place, noise, data: data - place),),
            ),
            Mistake(
                "el-dato",
                "has pedido el dato: se pide la velocidad, que es el dato menos el ruido",
                (_variant(speed=lambda place, noise, data: data),),
            ),
            Mistake(
                "calla-al-reves",
                "has callado la clase justo en los ejemplos que sí la dicen",
                (_variant(quiet=lambda silent: ~silent),),
            ),
            Mistake(
                "nunca-calla",
                "falta callar la clase donde `silent` es verdadero",
                (_variant(quiet=lambda silent: silent & False),),
            ),
        ),
        outputs=("los puntos", "las velocidades", "las clases"),
        differentiable=False,
    ),
)
