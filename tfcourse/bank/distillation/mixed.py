"""Ejercicio abierto: de quién aprende un alumno, y qué pasa si el maestro es malo."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(by_class, by_teacher, labels, answers):
    """Imagen a imagen."""
    known, told = [], []
    first, second = by_class.log_softmax(-1), by_teacher.log_softmax(-1)
    for row, label in enumerate(labels.tolist()):
        if label >= 0:
            known.append(-first[row, label])
        told.append(-second[row, int(answers[row].argmax())])
    return 0.5 * torch.stack(known).mean() + 0.5 * torch.stack(told).mean()


def _variant(swap=False, zero=False, over_all=False, known_only=False, halves=0.5, soft=False):
    def loss(by_class, by_teacher, labels, answers):
        if swap:
            by_class, by_teacher = by_teacher, by_class
        ok = labels >= 0
        if zero:
            first = F.cross_entropy(by_class, labels.clamp(min=0))
        else:
            first = F.cross_entropy(by_class[ok], labels[ok])
        if over_all:
            first = first * ok.float().mean()
        target = answers.softmax(-1) if soft else answers.argmax(-1)
        rows = ok if known_only else torch.ones_like(ok)
        second = F.cross_entropy(by_teacher[rows], target[rows])
        return halves * (first + second)

    return loss


def _case(known, unknown, classes, seed=0):
    def make():
        generator = seeded(seed)
        count = known + unknown
        logits = torch.randn(3, count, classes, generator=generator)
        labels = torch.randint(1, classes, (count,), generator=generator)
        labels[known:] = -1
        return logits[0], logits[1], labels, 2 * logits[2]

    return make


MIXED = Exercise(
    Card(
        id="un-maestro-malo",
        title="Un maestro malo",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="medir qué aprende un alumno de un maestro que se equivoca",
        hints=(
            "Para mixed_loss: la etiqueta −1 no cuenta en la parte de la clase. "
            "F.cross_entropy tiene ignore_index.",
            "La parte del maestro cuenta en todas las imágenes, y su objetivo es la clase que "
            "elige: answers.argmax(dim=-1).",
            "Para el experimento: un maestro se estropea entrenándolo menos pasos o con menos "
            "etiquetas. Mide su acierto antes de dárselo a nadie.",
        ),
    ),
    Task(
        function="mixed_loss",
        cases=(
            Case("la mitad sin etiqueta", _case(3, 3, 4)),
            Case("casi todas sin etiqueta", _case(1, 5, 5, seed=1)),
            Case("dos y tres", _case(2, 3, 10, seed=2)),
            Case("cuatro y dos", _case(4, 2, 3, seed=3)),
            example(
                torch.zeros(2, 10),
                torch.zeros(2, 10),
                torch.tensor([3, -1]),
                torch.arange(20.0).view(2, 10),
                in_words=True,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "salidas-cambiadas",
                "has cambiado las salidas: la primera aprende de la etiqueta, y la segunda, del "
                "maestro",
                (_variant(swap=True),),
            ),
            Mistake(
                "menos-uno-es-cero",
                "has tratado el −1 como si fuera la clase 0: esas imágenes no cuentan en esa parte",
                (_variant(zero=True),),
            ),
            Mistake(
                "media-de-todas",
                "la media de la parte de la clase es solo de las imágenes con etiqueta",
                (_variant(over_all=True),),
            ),
            Mistake(
                "maestro-a-medias",
                "el maestro cuenta en todas las imágenes, también en las que no tienen etiqueta",
                (_variant(known_only=True),),
            ),
            Mistake(
                "sin-mitades",
                "has sumado las dos partes: cada una pesa la mitad",
                (_variant(halves=1.0),),
            ),
            Mistake(
                "blanda",
                "has usado las probabilidades del maestro: en la dura es la clase que elige",
                (_variant(soft=True),),
            ),
        ),
        differentiable=False,
    ),
)
