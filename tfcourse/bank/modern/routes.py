"""Ejercicio de código: encontrar los dos fallos de un encaminador."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(scores, answers, k):
    """Token a token: se ordenan los expertos y se mezclan los k primeros."""
    rows = []
    for token in range(len(scores)):
        values = scores[token].tolist()
        best = sorted(range(len(values)), key=lambda e: -values[e])[:k]
        total = sum(values[e] for e in best)
        rows.append(sum(values[e] / total * answers[token, e] for e in best))
    return torch.stack(rows)


def _variant(dim=-1, share=True, even=False, largest=True):
    def mix(scores, answers, k):
        k = min(k, scores.shape[dim])
        chosen = scores.topk(k, dim=dim, largest=largest).indices
        weights = torch.zeros_like(scores).scatter(dim, chosen, scores.gather(dim, chosen))
        if even:
            weights = (weights > 0).to(scores.dtype) / k
        elif share:
            weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
        return (weights[..., None] * answers).sum(dim=1)

    return mix


def _case(n_tokens, n_experts, k, seed):
    def make():
        logits, answers = random_tensors((n_tokens, n_experts), (n_tokens, n_experts, 3), seed=seed)
        return logits.softmax(-1), answers, k

    return make


ROUTES = Exercise(
    Card(
        id="dos-fallos-al-encaminar",
        title="Dos fallos al encaminar",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="encontrar dos fallos que no dan error y dejan a unos tokens sin experto",
        hints=(
            "Pon un ejemplo en el que dos tokens prefieran al mismo experto, con k = 1, y mira los "
            "pesos que salen de cada uno.",
            "`dim=0` recorre los tokens: así, cada experto elige a sus tokens. Aquí es cada token "
            "quien elige a sus expertos.",
            "El otro: los pesos de los elegidos tienen que volver a sumar 1. Divídelos entre su "
            "suma.",
        ),
    ),
    Task(
        function="mix_experts",
        cases=(
            Case("5 tokens, 4 expertos, 2 elegidos", _case(5, 4, 2, 0)),
            Case(
                "todos prefieren al mismo",
                lambda: (
                    torch.tensor([[0.7, 0.2, 0.1], [0.6, 0.1, 0.3]]),
                    torch.arange(12.0).view(2, 3, 2),
                    2,
                ),
            ),
            Case("3 elegidos de 6", _case(4, 6, 3, 1)),
            example(torch.tensor([[0.5, 0.25, 0.25]]), torch.tensor([[[3.0], [6.0], [0.0]]]), 2),
        ),  # fmt: skip
        reference=_by_loops,
        mistakes=(
            Mistake(
                "los-dos-siguen",
                "siguen los dos fallos: eligen los expertos, y no los tokens, y los pesos no suman "
                "1",
                (_variant(dim=0, share=False),),
            ),
            Mistake(
                "eligen-los-expertos",
                "ahora los pesos suman 1, pero cada experto sigue eligiendo a sus tokens: mira "
                "sobre qué eje se eligen los mejores",
                (_variant(dim=0),),
            ),
            Mistake(
                "no-suman-uno",
                "cada token elige ya a sus expertos, pero sus pesos no suman 1: la respuesta sale "
                "encogida",
                (_variant(share=False),),
            ),
            Mistake(
                "a-partes-iguales",
                "has hecho la media de los elegidos: cada uno pesa lo que su puntuación",
                (_variant(even=True),),
            ),
            Mistake(
                "los-peores",
                "has elegido a los de menor puntuación",
                (_variant(largest=False),),
            ),
        ),
    ),
)
