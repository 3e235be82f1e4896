"""Ejercicio de código: la mejor política que no se aleja demasiado, deducida."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_hand(reference, rewards, beta):
    """Con números de Python, restando el mayor exponente de los que cuentan."""
    pairs = [*zip(reference.tolist(), rewards.tolist(), strict=True)]
    top = max(reward / beta for share, reward in pairs if share > 0)
    heaps = [share * math.exp(reward / beta - top) if share else 0.0 for share, reward in pairs]
    policy = torch.tensor([heap / sum(heaps) for heap in heaps], dtype=reference.dtype)
    value = beta * (top + math.log(sum(heaps)))
    return policy, torch.tensor(value, dtype=reference.dtype)


def _value_of(logits, rewards, beta):
    return beta * logits.logsumexp(0)


def _expected(logits, rewards, beta):
    return (logits.softmax(0) * rewards).sum()


def _without_beta(logits, rewards, beta):
    return logits.logsumexp(0)


def _tilted(reference, rewards, beta):
    return reference.log() + rewards / beta


def _variant(logits=_tilted, value=_value_of):
    def best(reference, rewards, beta):
        found = logits(reference, rewards, beta)
        return found.softmax(0), value(found, rewards, beta)

    return best


def _overflowing(reference, rewards, beta):
    heaps = reference * (rewards / beta).exp()
    return heaps / heaps.sum(), beta * heaps.sum().log()


def _greedy(reference, rewards, beta):
    policy = torch.zeros_like(reference)
    policy[rewards.argmax()] = 1.0
    return policy, rewards.max() + beta * reference[rewards.argmax()].log()


def _case(size, beta, seed):
    def make():
        generator = seeded(seed)
        logits, rewards = torch.randn(2, size, generator=generator, dtype=torch.float64)
        return logits.softmax(0), 2 * rewards, beta

    return make


def _written(reference, rewards, beta):
    def make():
        return *(torch.tensor(row, dtype=torch.float64) for row in (reference, rewards)), beta

    return make


POLICY = Exercise(
    Card(
        id="lo-mejor-sin-alejarse",
        title="Lo mejor sin alejarse",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="deducir la política que equilibra la recompensa y la divergencia, y su valor",
        hints=(
            "Escribe lo que se maximiza como una sola suma: Σ π_i (r_i − β log π_i + β log ρ_i). "
            "Iguala a λ la derivada respecto de cada π_i: λ es la misma para todas.",
            "Sale log π_i = log ρ_i + r_i/β + constante: un softmax. La constante es menos el "
            "logaritmo de Z = Σ ρ_i e^(r_i/β).",
            "Al sustituir, todo se va menos β log Z. `logsumexp` lo calcula sin desbordarse, "
            "también con algún −∞ de log 0.",
        ),
    ),
    Task(
        function="best_policy",
        cases=(
            Case("cinco respuestas", _case(5, 1.0, 0)),
            Case("ocho respuestas y β = 0,3", _case(8, 0.3, 1)),
            Case("β casi cero", _written([0.2, 0.5, 0.3], [1.0, 0.0, 2.0], 1e-3)),
            Case("β casi cero y empate", _written([0.2, 0.6, 0.2], [3.0, 3.0, 0.0], 1e-3)),
            Case("β enorme", _case(6, 1e4, 2)),
            Case("la mejor es imposible", _written([0.5, 0.5, 0.0], [0.0, 1.0, 4.0], 0.5)),
            Case("una sola respuesta posible", _written([0.0, 1.0], [9.0, -2.0], 0.7)),
            example(torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0]), 1.0),
        ),
        reference=_by_hand,
        mistakes=(
            Mistake(
                "sin-la-referencia",
                "falta la referencia: con la misma recompensa, gana lo que ya era más probable",
                (_variant(lambda p, r, beta: r / beta),),
            ),
            Mistake(
                "por-beta",
                "β va al revés: cuanto mayor es, menos cuenta la recompensa",
                (_variant(lambda p, r, beta: p.log() + beta * r),),
            ),
            Mistake(
                "todo-entre-beta",
                "β divide a la recompensa, y no al logaritmo de la referencia",
                (_variant(lambda p, r, beta: (p.log() + r) / beta),),
            ),
            Mistake(
                "sin-logaritmo",
                "dentro del softmax va el logaritmo de la referencia, y has puesto su probabilidad",
                (_variant(lambda p, r, beta: p + r / beta),),
            ),
            Mistake(
                "sin-la-divergencia",
                "la política es buena, pero su valor es solo la recompensa media: falta restar "
                "β veces la divergencia",
                (_variant(value=_expected),),
            ),
            Mistake(
                "valor-sin-beta",
                "la política es buena, pero en el valor falta multiplicar por β",
                (_variant(value=_without_beta),),
            ),
            Mistake(
                "solo-la-mejor",
                "has elegido siempre la respuesta de más recompensa: eso es el límite de β → 0",
                (_greedy,),
            ),
            Mistake(
                "se-desborda",
                "la fórmula es buena, pero e^(r/β) se desborda si β es pequeña: trabaja con "
                "logaritmos, con `softmax` y `logsumexp`",
                (_overflowing,),
            ),
        ),
        outputs=("la política", "su valor"),
        differentiable=False,
    ),
)
