"""Ejercicio de código: la pérdida de word2vec con muestras negativas."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _log_sigmoid(x):
    return -math.log1p(math.exp(-x))


def _by_loops(centre, context, negatives):
    losses = []
    for v, u, others in zip(centre, context, negatives, strict=True):
        loss = -_log_sigmoid(float(v @ u))
        losses.append(loss - sum(_log_sigmoid(-float(v @ n)) for n in others))
    return torch.tensor(sum(losses) / len(losses), dtype=centre.dtype)


def _loss(positive=None, negative=None, over=torch.sum, end=torch.mean, log=True):
    """La pérdida con alguna pieza cambiada: así se fabrican los errores típicos."""
    squash = torch.nn.functional.logsigmoid if log else torch.sigmoid

    def sgns_loss(centre, context, negatives):
        first = squash((centre * context).sum(-1))
        second = squash(-(negatives * centre[:, None]).sum(-1))
        if positive:
            first = positive(centre, context)
        if negative:
            second = negative(centre, negatives)
        return end(-(first + over(second, -1)))

    return sgns_loss


def _wrong_sign(centre, negatives):
    return torch.nn.functional.logsigmoid((negatives * centre[:, None]).sum(-1))


def _one_minus(centre, negatives):
    return 1 - torch.nn.functional.logsigmoid((negatives * centre[:, None]).sum(-1))


def _case(batch, k, d, seed, dtype=torch.float32):
    return random_case((batch, d), (batch, d), (batch, k, d), seed=seed, dtype=dtype)


NEGATIVES = Exercise(
    Card(
        id="muestras-negativas",
        title="La pérdida con muestras negativas",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir la pérdida de word2vec para un lote, sin bucles",
        hints=(
            "Dos clases de puntajes: los de cada centro con su vecina, de forma (B,), y los de "
            "cada centro con sus K negativas, de forma (B, K).",
            "El puntaje con las negativas: (negatives * centre[:, None]).sum(-1). Fíjate en el "
            "signo que lleva dentro de la sigmoide.",
            "torch.nn.functional.logsigmoid(x) da log σ(x) sin desbordar. Suma las negativas, "
            "cambia el signo y haz la media sobre el lote.",
        ),
    ),
    Task(
        function="sgns_loss",
        cases=(
            Case("un lote de 4 pares con 3 negativas", _case(4, 3, 5, seed=0)),
            Case("tantas negativas como pares", _case(3, 3, 4, seed=1)),
            Case("un solo par", _case(1, 5, 6, seed=2)),
            Case("una sola negativa", _case(5, 1, 3, seed=3)),
            Case("números de 64 bits", _case(2, 4, 3, seed=4, dtype=torch.float64)),
            Case("40 pares, sin bucles", _case(40, 2, 2, seed=5), Rules(operations=50)),
            example(*map(torch.tensor, ([[0.0, 0.0]], [[1.0, 2.0]], [[[3.0, 4.0]]]))),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "signo-de-las-negativas",
                "a las negativas les falta el signo menos dentro de la sigmoide: se quiere que su "
                "puntaje sea bajo",
                (_loss(negative=_wrong_sign),),
            ),
            Mistake(
                "uno-menos-el-logaritmo",
                "has restado el logaritmo de 1: es log(1 − σ(x)), que vale log σ(−x)",
                (_loss(negative=_one_minus),),
            ),
            Mistake(
                "media-de-las-negativas",
                "has hecho la media sobre las negativas: en la fórmula se suman",
                (_loss(over=torch.mean),),
            ),
            Mistake(
                "suma-del-lote",
                "has sumado sobre el lote: se pide la media",
                (_loss(end=torch.sum),),
            ),
            Mistake(
                "sin-media",
                "devuelves una pérdida por par: falta la media sobre el lote",
                (_loss(end=lambda x: x),),
            ),
            Mistake(
                "sin-logaritmo",
                "falta el logaritmo: la pérdida suma log σ, no σ",
                (_loss(log=False),),
            ),
            Mistake(
                "signo-cambiado",
                "el signo está cambiado: una pérdida es menos el logaritmo de la probabilidad",
                (_loss(end=lambda x: -x.mean()),),
            ),
            Mistake(
                "sin-negativas",
                "faltan las negativas: sin ellas, la pérdida se minimiza haciendo iguales todos "
                "los vectores",
                (_loss(negative=lambda centre, negatives: negatives[..., 0] * 0),),
            ),
        ),
    ),
)
