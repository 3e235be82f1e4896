"""Ejercicio de código: la destilación blanda."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _reference(student, teacher, temperature):
    """Con la divergencia de PyTorch."""
    return temperature**2 * F.kl_div(
        F.log_softmax(student / temperature, -1), F.softmax(teacher / temperature, -1),
        reduction="batchmean",
    )  # fmt: skip


def _variant(swap=False, factor=2, cool=(True, True), mean="batch", entropy=True):
    def loss(student, teacher, temperature):
        if swap:
            student, teacher = teacher, student
        s = student / (temperature if cool[0] else 1)
        t = teacher / (temperature if cool[1] else 1)
        ours, theirs = s.log_softmax(-1), t.log_softmax(-1)
        terms = theirs.exp() * ((theirs if entropy else 0) - ours)
        total = {"batch": terms.sum(-1).mean(), "all": terms.mean(), "sum": terms.sum()}[mean]
        return temperature**factor * total

    return loss


def _case(count, classes, temperature, seed=0):
    def make():
        generator = seeded(seed)
        logits = 2 * torch.randn(2, count, classes, generator=generator)
        return logits[0], logits[1], temperature

    return make


SOFT = Exercise(
    Card(
        id="destilacion-blanda",
        title="Tres fallos al destilar",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar los fallos de una pérdida que baja y no enseña lo que debe",
        hints=(
            "Divide entre la temperatura los logits de los dos, antes del softmax.",
            "KL(maestro ‖ alumno): suma en las clases de p · (log p − log q), con p del maestro.",
            "Media de las imágenes, y al final multiplica por la temperatura al cuadrado.",
        ),
    ),
    Task(
        function="soft_loss",
        cases=(
            Case("dos imágenes, tres clases", _case(2, 3, 2.0)),
            Case("temperatura 3", _case(4, 5, 3.0, seed=1)),
            Case("temperatura 1", _case(3, 4, 1.0, seed=2)),
            Case("una imagen", _case(1, 10, 4.0, seed=3)),
            Case("sin `F.kl_div`", _case(2, 3, 2.0, seed=4), Rules(banned=("kl_div",))),
            example(torch.tensor([[0.0, 0.0]]), torch.tensor([[2.0, 0.0]]), 2.0, in_words=True),
            Case(
                "el otro ejemplo del enunciado",
                lambda: (torch.tensor([[1.0, 3.0]]), torch.tensor([[1.0, 3.0]]), 2.0),
            ),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "al-reves",
                "has calculado KL(alumno ‖ maestro): la que pesa es la probabilidad del maestro",
                tuple(
                    _variant(swap=True, cool=cool, factor=factor)
                    for cool in ((True, True), (True, False))
                    for factor in (1, 2)
                ),
            ),
            Mistake(
                "sin-cuadrado",
                "te falta multiplicar por la temperatura al cuadrado",
                (_variant(factor=0), _variant(factor=1)),
            ),
            Mistake(
                "un-solo-softmax",
                "la temperatura divide los logits de los dos, no solo los de uno",
                (
                    _variant(cool=(True, False)),
                    _variant(cool=(False, True)),
                    _variant(cool=(False, True), factor=1),
                ),
            ),
            Mistake(
                "media-de-mas",
                "has promediado también las clases: se suman; la media es de las imágenes",
                (_variant(mean="all"),),
            ),
            Mistake(
                "suma-del-lote",
                "has sumado las imágenes: es su media",
                (_variant(mean="sum"),),
            ),
            Mistake(
                "entropia-cruzada",
                "eso es la entropía cruzada: a la divergencia hay que restarle la entropía del "
                "maestro, y así vale 0 cuando los dos coinciden",
                (_variant(entropy=False),),
            ),
        ),
    ),
)
