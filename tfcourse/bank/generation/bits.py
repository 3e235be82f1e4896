"""Ejercicio de código: bits por carácter a partir de los logits."""

import math

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(logits, targets, n_characters):
    total = logits.new_zeros(())
    for row, target in zip(logits, targets.tolist(), strict=True):
        total = total - (row[target] - row.exp().sum().log()) / math.log(2)
    return total / n_characters


def _cost(logits, targets, n_characters):
    return F.cross_entropy(logits, targets, reduction="sum")


def _mean_probability(logits, targets, n_characters):
    chosen = logits.softmax(-1).gather(1, targets[:, None])
    return -chosen.mean().log2() * len(targets) / n_characters


def _case(n_tokens, size, per_token, seed):
    def make():
        generator = seeded(seed)
        (logits,) = random_tensors((n_tokens, size), seed=seed)
        targets = torch.randint(size, (n_tokens,), generator=generator)
        return 2 * logits, targets, round(n_tokens * per_token)

    return make


BITS = Exercise(
    Card(
        id="bits-de-un-bpe",
        title="La regla justa",
        kind="codigo",
        difficulty=1,
        minutes=10,
        points=2,
        objective="medir en una unidad que no dependa del tokenizador",
        hints=(
            "Cada token cuesta −log₂ de la probabilidad que el modelo le dio.",
            'F.cross_entropy con reduction="sum" suma los costes en nats: un bit son ln 2 nats.',
            "El total se divide entre los caracteres, no entre los tokens.",
        ),
    ),
    Task(
        function="bits_per_character",
        cases=(
            Case("40 tokens de 3 caracteres", _case(40, 10, 3, 0)),
            Case("un token por carácter", _case(25, 7, 1, 1)),
            Case("un solo token de 8 letras", _case(1, 5, 8, 2)),
            example(torch.tensor([[0.0, 0.0], [0.0, 0.0]]), torch.tensor([0, 1]), 4),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "en-nats",
                "eso son nats: divide entre ln 2 para tener bits",
                (lambda x, t, n: _cost(x, t, n) / n,),
            ),
            Mistake(
                "por-token",
                "has dividido entre los tokens: la unidad común es el carácter",
                (
                    lambda x, t, n: _cost(x, t, n) / math.log(2) / len(t),
                    lambda x, t, n: _cost(x, t, n) / math.log(2) / len(t) / n,
                ),
            ),
            Mistake(
                "signo",
                "te ha salido negativo: el coste es *menos* el logaritmo de la probabilidad",
                (lambda x, t, n: -_cost(x, t, n) / math.log(2) / n,),
            ),
            Mistake(
                "media-de-probabilidades",
                "has hecho el logaritmo de la media: es la media de los logaritmos",
                (_mean_probability,),
            ),
            Mistake(
                "sin-softmax",
                "has tomado los logits como si ya fueran logaritmos de probabilidades: falta el "
                "softmax",
                (lambda x, t, n: -x.gather(1, t[:, None]).sum() / math.log(2) / n,),
            ),
        ),
    ),
)
