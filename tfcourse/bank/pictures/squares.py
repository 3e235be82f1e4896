"""Ejercicio de código: deducir el gradiente de la pérdida de SigLIP."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(logits):
    """Casilla a casilla: la probabilidad de que vayan juntos menos lo que debía ser, entre N."""
    n = len(logits)
    gradient = torch.zeros_like(logits)
    for i in range(n):
        for j in range(n):
            said = 1 / (1 + torch.exp(-logits[i, j]))
            gradient[i, j] = (said - (1.0 if i == j else 0.0)) / n
    return gradient


def _variant(sign=1.0, share=None, wanted=None, squash=torch.sigmoid):
    def square_gradient(logits):
        n = len(logits)
        target = torch.eye(n, dtype=logits.dtype) if wanted is None else wanted(n).to(logits)
        return sign * (squash(logits) - target) / (n if share is None else share(n))

    return square_gradient


def _rows(logits):
    return logits.softmax(1)


CARD = Card(
    id="gradiente-de-las-casillas",
    title="Lo que pide SigLIP a cada casilla",
    kind="codigo",
    difficulty=2,
    minutes=15,
    points=3,
    objective="deducir con lápiz a qué casillas mueve una pérdida, y cuánto",
    hints=(
        "La derivada de −ln σ(z) es σ(z) − 1, y la de −ln σ(−z) es σ(z).",
        "Las dos se escriben igual: la probabilidad que se dice menos la que debía ser, que es 1 "
        "en la diagonal y 0 fuera.",
        "La pérdida divide la suma entre N: `(logits.sigmoid() - torch.eye(N)) / N`.",
    ),
)

SQUARES = Exercise(
    CARD,
    Task(
        function="square_gradient",
        cases=(
            Case("tres parejas", random_case((3, 3), seed=0)),
            Case("seis parejas", random_case((6, 6), seed=1)),
            Case("una sola", random_case((1, 1), seed=2)),
            Case("64 bits", random_case((4, 4), seed=3, dtype=torch.float64)),
            Case("sin autograd", random_case((4, 4), seed=4), Rules(banned=("autograd",))),
            example(torch.tensor([[0.0, 0.0], [0.0, 0.0]])),
        ),
        reference=_by_loops,
        differentiable=False,
        mistakes=(
            Mistake(
                "signo",
                "el signo está al revés: una casilla que debía ser que sí y dice que no tiene el "
                "gradiente negativo, para que su logit suba",
                (_variant(sign=-1.0),),
            ),
            Mistake(
                "entre-las-casillas",
                "has dividido entre las N² casillas: la pérdida divide entre las N parejas",
                (_variant(share=lambda n: n * n),),
            ),
            Mistake(
                "sin-dividir",
                "falta dividir entre N, las parejas del lote",
                (_variant(share=lambda n: 1),),
            ),
            Mistake(
                "por-filas",
                "ese es el de elegir en cada fila, como CLIP: aquí cada casilla va por su cuenta",
                (_variant(squash=_rows),),
            ),
            Mistake(
                "todas-que-no",
                "has tratado también la diagonal como que no: ahí la respuesta es que sí",
                (_variant(wanted=lambda n: torch.zeros(n, n)),),
            ),
        ),
    ),
)
