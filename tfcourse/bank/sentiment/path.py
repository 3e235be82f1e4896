"""Ejercicio de código: repartir una respuesta a lo largo de un camino."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(x, baseline, gradients):
    out = []
    for word in range(len(x)):
        total = x.new_zeros(())
        for gradient in gradients:
            total = total + ((x[word] - baseline[word]) * gradient[word]).sum()
        out.append(total / len(gradients))
    return torch.stack(out)


def _variant(difference=None, average=None, collapse=None):
    def share(x, baseline, gradients):
        moved = (difference or (lambda a, b: a - b))(x, baseline)
        mean = (average or (lambda g: g.mean(dim=0)))(gradients)
        return (collapse or (lambda parts: parts.sum(dim=-1)))(moved * mean)

    return share


def _case(n_steps, length, width, seed):
    def make():
        shapes = (length, width), (length, width), (n_steps, length, width)
        return random_tensors(*shapes, seed=seed)

    return make


PATH = Exercise(
    Card(
        id="repartir-por-el-camino",
        title="Repartir por el camino",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="calcular gradientes integrados a partir de los gradientes del camino",
        hints=(
            "Los gradientes ya están calculados en S puntos del camino: falta promediarlos.",
            "Cada componente se multiplica por lo que se ha movido: x − base, y no x.",
            "Se pide un número por palabra: suma las componentes de su vector.",
        ),
    ),
    Task(
        function="word_shares",
        cases=(
            Case("8 puntos, 5 palabras", _case(8, 5, 3, 0)),
            Case("un solo punto", _case(1, 4, 6, 1)),
            Case("32 puntos, 12 palabras", _case(32, 12, 8, 2)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-base",
                "has multiplicado por x: se multiplica por lo que x se separa de la base",
                (_variant(lambda a, b: a),),
            ),
            Mistake(
                "al-reves",
                "el signo está cambiado: el camino va de la base a x",
                (_variant(lambda a, b: b - a),),
            ),
            Mistake(
                "sin-promediar",
                "has sumado los gradientes del camino: hay que promediarlos",
                (_variant(average=lambda g: g.sum(dim=0)),),
            ),
            Mistake(
                "solo-el-final",
                "has usado solo el gradiente del final del camino: eso es la tangente en x",
                (_variant(average=lambda g: g[-1]),),
            ),
            Mistake(
                "sin-signo",
                "has perdido el signo: una palabra puede empujar en contra",
                (
                    _variant(collapse=lambda parts: parts.abs().sum(dim=-1)),
                    _variant(collapse=lambda parts: parts.sum(dim=-1).abs()),
                    _variant(collapse=lambda parts: parts.norm(dim=-1)),
                ),
            ),
            Mistake(
                "media-de-componentes",
                "has promediado las componentes de cada vector: se suman, o no se cumpliría la "
                "completitud",
                (_variant(collapse=lambda parts: parts.mean(dim=-1)),),
            ),
        ),
    ),
)
