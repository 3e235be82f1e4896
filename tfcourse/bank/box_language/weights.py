"""Ejercicio de código: la verosimilitud con pesos."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(logits, targets, weights):
    total, count = 0.0, 0.0
    for j in range(len(targets)):
        top = logits[j].max()
        partition = (logits[j] - top).exp().sum().log() + top
        total = total + weights[j] * (partition - logits[j, targets[j]])
        count = count + weights[j]
    return total / count


def _variant(kind):
    def loss(logits, targets, weights):
        likely = logits.log_softmax(-1)[range(len(targets)), targets]
        raw = logits[range(len(targets)), targets]
        chance = likely.exp()
        return {
            "entre-todas": -(weights * likely).mean(),
            "sin-pesos": -likely.mean(),
            "suma": -(weights * likely).sum(),
            "signo": (weights * likely).sum() / weights.sum(),
            "sin-softmax": -(weights * raw).sum() / weights.sum(),
            "sin-logaritmo": -(weights * chance).sum() / weights.sum(),
        }[kind]

    return loss


def _case(n_words, n_vocabulary, weights, seed):
    def make():
        g = seeded(seed)
        logits = 2 * torch.randn(n_words, n_vocabulary, generator=g)
        targets = torch.randint(n_vocabulary, (n_words,), generator=g)
        return logits, targets, torch.tensor(weights)

    return make


WEIGHTS = Exercise(
    Card(
        id="verosimilitud-con-pesos",
        title="La pérdida de Pix2Seq",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir la entropía cruzada en la que unas palabras cuentan y otras no",
        hints=(
            "`logits.log_softmax(dim=-1)` da el logaritmo de todas las probabilidades.",
            "Quédate con el de la palabra correcta de cada lugar y multiplícalo por su peso.",
            "Cambia el signo y divide entre la suma de los pesos: lo que no cuenta, no divide.",
        ),
    ),
    Task(
        function="weighted_loss",
        cases=(
            Case("el relleno no cuenta", _case(5, 7, [1.0, 1.0, 1.0, 0.0, 0.0], 0)),
            Case("un objeto inventado", _case(5, 9, [0.0, 0.0, 0.0, 0.0, 1.0], 1)),
            Case("pesos cualesquiera", _case(4, 3, [0.5, 2.0, 1.0, 0.0], 2)),
            example(torch.zeros(2, 2), torch.tensor([0, 1]), torch.tensor([1.0, 0.0])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "entre-todas",
                "divides entre todas las palabras: hay que dividir entre la suma de los pesos",
                (_variant("entre-todas"),),
            ),
            Mistake(
                "sin-pesos",
                "no has usado los pesos: el relleno y las coordenadas inventadas no cuentan",
                (_variant("sin-pesos"),),
            ),
            Mistake(
                "suma",
                "falta dividir entre la suma de los pesos",
                (_variant("suma"),),
            ),
            Mistake(
                "signo",
                "es una pérdida: cambia el signo a la verosimilitud",
                (_variant("signo"),),
            ),
            Mistake(
                "sin-softmax",
                "has usado los logits tal cual: antes hay que pasarlos por log_softmax",
                (_variant("sin-softmax"),),
            ),
            Mistake(
                "sin-logaritmo",
                "has sumado probabilidades: falta el logaritmo",
                (_variant("sin-logaritmo"),),
            ),
        ),
    ),
)
