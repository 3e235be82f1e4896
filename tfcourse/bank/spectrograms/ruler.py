"""Ejercicio abierto: ¿cuánto hay que solapar para volver sin fases?"""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(wanted, found):
    errors = []
    for first, second in zip(wanted.flatten(1).tolist(), found.flatten(1).tolist(), strict=True):
        missed = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
        errors.append(math.sqrt(missed / sum(a**2 for a in first)))
    return torch.tensor(errors)


def _pieces(wanted, found):
    """La norma de lo que falta y la de lo pedido, clip a clip."""
    return (wanted - found).flatten(1).norm(dim=1), wanted.flatten(1).norm(dim=1)


def _squared(wanted, found):
    missed, whole = _pieces(wanted, found)
    return (missed / whole) ** 2


def _together(wanted, found):
    return ((wanted - found).norm() / wanted.norm()).expand(len(wanted))


def _by_found(wanted, found):
    return _pieces(wanted, found)[0] / found.flatten(1).norm(dim=1)


def _absolute(wanted, found):
    """Sumas de valores absolutos, sin cuadrados."""
    return (wanted - found).abs().flatten(1).sum(1) / wanted.abs().flatten(1).sum(1)


def _not_relative(wanted, found):
    return _pieces(wanted, found)[0]


def _of_norms(wanted, found):
    """La diferencia de las normas, y no la norma de la diferencia."""
    whole, other = wanted.flatten(1).norm(dim=1), found.flatten(1).norm(dim=1)
    return (whole - other).abs() / whole


def _case(shape, seed):
    """Amplitudes al azar, mayores en cada clip que en el anterior."""

    def make():
        generator = seeded(seed)
        sizes = (1 + torch.arange(shape[0])).view(-1, 1, 1)
        return tuple(sizes * torch.rand(shape, generator=generator) for _ in range(2))

    return make


RULER = Exercise(
    Card(
        id="volver-sin-fases",
        title="¿Cuánto hay que solapar para volver?",
        kind="abierto",
        difficulty=3,
        minutes=50,
        points=2,
        manual_points=8,
        objective="comparar con una sola regla lo que se ha calculado con varias",
        hints=(
            "Para la primera parte: resta, eleva al cuadrado, suma en los dos últimos ejes y saca "
            "la raíz.",
            "Cada clip se divide entre la raíz de la suma de los cuadrados de lo pedido, en ese "
            "mismo clip.",
            "Para el experimento: con poco solape hay menos números que cumplir. ¿Es más fácil "
            "cumplirlos, o parecerse a la voz?",
        ),
    ),
    Task(
        function="relative_error",
        cases=(
            Case("un clip", _case((1, 4, 5), 0)),
            Case("tres clips", _case((3, 5, 6), 1)),
            Case("cuatro clips", _case((4, 3, 8), 2)),
            example(
                torch.tensor([[[3.0, 0.0], [0.0, 4.0]]]), torch.tensor([[[3.0, 0.0], [0.0, 1.0]]])
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-raiz",
                "has dado el cuadrado: falta la raíz, arriba y abajo",
                (_squared,),
            ),
            Mistake(
                "todos-juntos",
                "has sumado todos los clips: cada uno tiene su error",
                (_together,),
            ),
            Mistake(
                "entre-lo-encontrado",
                "has dividido entre lo encontrado: se compara con lo pedido",
                (_by_found,),
            ),
            Mistake(
                "valores-absolutos",
                "has sumado valores absolutos: se piden los cuadrados",
                (_absolute,),
            ),
            Mistake(
                "sin-dividir",
                "falta dividir entre lo pedido: un clip más fuerte parecería peor",
                (_not_relative,),
            ),
            Mistake(
                "resta-de-normas",
                "has restado los dos tamaños: primero se restan los espectrogramas, casilla a "
                "casilla",
                (_of_norms,),
            ),
        ),
        differentiable=False,
    ),
)
