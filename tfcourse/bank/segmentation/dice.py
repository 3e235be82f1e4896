"""Ejercicio de código: la pérdida Dice de unas máscaras."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(logits, target):
    values = []
    for row, true in zip(logits, target, strict=True):
        chances = [1 / (1 + torch.exp(-x)) for x in row]
        common = sum(p * t for p, t in zip(chances, true, strict=True))
        size = sum(chances) + sum(true)
        values.append(1 - (2 * common + 1) / (size + 1))
    return torch.stack(values)


def _variant(squash=torch.sigmoid, double=2, one=1.0, sign=-1, axis=-1):
    def dice(logits, target):
        chance = squash(logits)
        common = (chance * target).sum(axis)
        ratio = (double * common + one) / (chance.sum(axis) + target.sum(axis) + one)
        return 1 - ratio if sign < 0 else ratio

    return dice


def _all_together(logits, target):
    chance = logits.sigmoid()
    return 1 - (2 * (chance * target).sum() + 1) / (chance.sum() + target.sum() + 1)


def _case(k, p, seed, empty=False):
    def make():
        g = seeded(seed)
        target = (torch.rand(k, p, generator=g) > 0.5).float()
        return 2 * torch.randn(k, p, generator=g), target * (not empty)

    return make


DICE = Exercise(
    Card(
        id="perdida-dice",
        title="La pérdida Dice",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="escribir una pérdida a la que no le importe el tamaño del objeto",
        hints=(
            "Pasa los logits por la sigmoide: la pérdida trabaja con probabilidades.",
            "Lo común es la suma de los productos, punto a punto, en el último eje.",
            "Una máscara, un número: 1 − (2 · común + 1) / (suma de una + suma de la otra + 1).",
        ),
    ),
    Task(
        function="dice",
        cases=(
            Case("dos máscaras de seis puntos", _case(2, 6, 0)),
            Case("una sola máscara", _case(1, 9, 1)),
            Case("cuatro máscaras", _case(4, 5, 2)),
            Case("máscaras reales vacías", _case(3, 4, 3, empty=True)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-sigmoide",
                "has usado los logits tal cual: pásalos antes por la sigmoide",
                (_variant(squash=lambda x: x),),
            ),
            Mistake(
                "redondeada",
                "has redondeado la máscara a ceros y unos: así no tiene gradiente",
                (_variant(squash=lambda x: (x > 0).float()),),
            ),
            Mistake(
                "sin-el-dos",
                "falta el 2 que multiplica a lo común: con máscaras iguales tiene que dar 0",
                (_variant(double=1),),
            ),
            Mistake(
                "sin-el-uno",
                "falta el 1 que se suma arriba y abajo: sin él, dos vacías dividen entre cero",
                (_variant(one=0.0),),
            ),
            Mistake(
                "parecido",
                "eso es el parecido, no la pérdida: réstalo de 1",
                (_variant(sign=1),),
            ),
            Mistake(
                "todas-juntas",
                "has juntado todas las máscaras en un número: hay una pérdida por máscara",
                (_all_together,),
            ),
        ),
    ),
)
