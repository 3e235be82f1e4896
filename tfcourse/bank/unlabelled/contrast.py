"""Ejercicio de código: la pérdida contrastiva."""

import math

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(predicted, true, others, kappa):
    """Posición a posición, con los exponenciales de Python."""

    def cosine(a, b):
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))

    losses = []
    for c, q, rivals in zip(predicted.tolist(), true.tolist(), others.tolist(), strict=True):
        scores = [cosine(c, x) / kappa for x in [q, *rivals]]
        top = max(scores)
        total = sum(math.exp(score - top) for score in scores)
        losses.append(top + math.log(total) - scores[0])
    return torch.tensor(sum(losses) / len(losses))


def _variant(cosine=True, times=False, own=True, add=False, last=False):
    def loss(predicted, true, others, kappa):
        candidates = torch.cat([true[:, None], others], dim=1)
        if cosine:
            scores = F.cosine_similarity(predicted[:, None], candidates, dim=-1)
        else:
            scores = (predicted[:, None] * candidates).sum(-1)
        scores = scores * kappa if times else scores / kappa
        bottom = scores if own else scores[:, 1:]
        losses = bottom.logsumexp(-1) - scores[:, -1 if last else 0]
        return losses.sum() if add else losses.mean()

    return loss


def _without_temperature(predicted, true, others, kappa):
    return _variant()(predicted, true, others, 1.0)


def _case(n, d, k, kappa, seed=0):
    def make():
        generator = seeded(seed)
        sizes = ((n, d), (n, d), (n, k, d))
        return *(torch.randn(size, generator=generator) for size in sizes), kappa

    return make


CONTRAST = Exercise(
    Card(
        id="perdida-contrastiva",
        title="La pérdida contrastiva",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="escribir la pérdida que reconoce la entrada verdadera entre distractores",
        hints=(
            "Junta la verdadera y los distractores en (N, 1 + K, D) con torch.cat.",
            "torch.cosine_similarity(predicted[:, None], candidatos, dim=-1) da (N, 1 + K).",
            "Divide entre κ: la pérdida es menos el log_softmax de la columna 0, en media.",
        ),
    ),
    Task(
        function="contrastive",
        cases=(
            Case("un distractor", _case(1, 3, 1, 0.5)),
            Case("varios", _case(4, 5, 6, 0.3, seed=1)),
            Case("temperatura baja", _case(3, 4, 5, 0.1, seed=2)),
            Case("temperatura alta", _case(5, 6, 3, 2.0, seed=3)),
            example(
                torch.tensor([[1.0, 2.0]]),
                torch.tensor([[2.0, 4.0]]),
                torch.tensor([[[3.0, 6.0]]]),
                0.1,
                in_words=True,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "producto",
                "has usado el producto escalar: se pide el coseno, que no depende del tamaño",
                (_variant(cosine=False),),
            ),
            Mistake(
                "por-kappa",
                "has multiplicado por κ: se divide",
                (_variant(times=True),),
            ),
            Mistake(
                "sin-kappa",
                "te falta la temperatura: los cosenos se dividen entre κ",
                (_without_temperature,),
            ),
            Mistake(
                "sin-la-verdadera",
                "en el denominador te falta la verdadera: se suma también",
                (_variant(own=False),),
            ),
            Mistake(
                "suma",
                "has sumado las posiciones: se pide la media",
                (_variant(add=True),),
            ),
            Mistake(
                "otra-clase",
                "has tomado como correcta la última: la verdadera es la primera",
                (_variant(last=True),),
            ),
        ),
        tolerance=1e-4,
    ),
)
