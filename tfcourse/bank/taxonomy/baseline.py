"""Ejercicio de código: deducir la línea de base que menos varianza deja."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _variance(alpha, rewards, base):
    """La varianza de la estimación, sorteo a sorteo y puntaje a puntaje, con números."""
    length = len(alpha)
    total = 0.0
    for j in range(length):
        values = [(rewards[i] - base) * ((i == j) - alpha[j]) for i in range(length)]
        mean = sum(a * x for a, x in zip(alpha, values, strict=True))
        total += sum(a * (x - mean) ** 2 for a, x in zip(alpha, values, strict=True))
    return total


def _by_parabola(scores, rewards):
    """La varianza es una parábola en la línea de base: pasa por tres puntos y tiene un mínimo."""
    bases, least = [], []
    for row, gains in zip(scores.double(), rewards.double().tolist(), strict=True):
        alpha = row.softmax(0).tolist()
        below, middle, above = (_variance(alpha, gains, base) for base in (-1, 0, 1))
        base = (below - above) / (2 * (below + above - 2 * middle))
        bases.append(base)
        least.append(_variance(alpha, gains, base))
    return torch.tensor(bases).to(scores.dtype), torch.tensor(least).to(scores.dtype)


def _best(share=None, size=None, centred=True):
    """La base con los pesos α · |g|² cambiados y su varianza; así se fabrican los errores."""

    def best_baseline(scores, rewards):
        alpha = scores.softmax(-1)
        slopes = torch.eye(alpha.shape[1], dtype=alpha.dtype) - alpha[:, None]  # (B, L, L)
        squares = slopes.square().sum(-1)
        weight = (share or (lambda a: a))(alpha) * (size or (lambda g, a: g))(squares, alpha)
        base = (weight * rewards).sum(-1) / weight.sum(-1)
        second = (alpha * squares * (rewards - base[:, None]) ** 2).sum(-1)
        mean = alpha * (rewards - (alpha * rewards).sum(-1, keepdim=True))
        return base, second - mean.square().sum(-1) if centred else second

    return best_baseline


def _first_score(scores, rewards):
    alpha = scores.softmax(-1)
    slope = -alpha[:, :1].expand_as(alpha).clone()
    slope[:, 0] += 1
    weight = alpha * slope**2
    base = (weight * rewards).sum(-1) / weight.sum(-1)
    second = (weight * (rewards - base[:, None]) ** 2).sum(-1)
    mean = (alpha * slope * rewards).sum(-1)
    return base, second - mean**2


def _case(batch, length, seed, sharp=1.0, dtype=torch.float64):
    def make():
        scores, rewards = random_tensors((batch, length), (batch, length), seed=seed, dtype=dtype)
        return sharp * scores, 2 * rewards - 1

    return make


BASELINE = Exercise(
    Card(
        id="la-mejor-linea-de-base",
        title="La mejor línea de base no es la media",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="deducir la línea de base que deja la menor varianza, y cuánta deja",
        hints=(
            "La media de la estimación no depende de b: minimizar la varianza es minimizar la "
            "media de (R − b)² · |g|². Es una parábola en b.",
            "Deriva e iguala a cero: b es una media de las recompensas, pesadas con α_i · |g_i|². "
            "Los sorteos que más mueven los puntajes cuentan más.",
            "g_i = e_i − α: un uno en la posición sorteada, menos los pesos. De la media de "
            "(R − b)² · |g|² se resta el cuadrado del gradiente medio, que vale α_j (R_j − R̄).",
        ),
    ),
    Task(
        function="best_baseline",
        cases=(
            Case("cuatro filas de cinco", _case(4, 5, 0)),
            Case("dos posiciones", _case(3, 2, 1)),
            Case("todos los ejes iguales", _case(4, 4, 2)),
            Case("una sola fila", _case(1, 7, 3)),
            Case("pesos muy desiguales", _case(3, 4, 4, sharp=3.0)),
            Case("32 bits", _case(2, 6, 5, dtype=torch.float32)),
            example(torch.tensor([[math.log(3), 0.0, 0.0]]), torch.tensor([[0.0, 7.0, 14.0]])),
        ),
        reference=_by_parabola,
        outputs=("la línea de base", "la varianza que deja"),
        mistakes=(
            Mistake(
                "recompensa-media",
                "esa es la recompensa media, que es la de costumbre: la mejor pesa también cuánto "
                "mueve los puntajes cada sorteo",
                (_best(size=lambda g, a: torch.ones_like(g)),),
            ),
            Mistake(
                "sin-alfa",
                "has pesado con |g|² y olvidado que unos sorteos salen más que otros: falta α",
                (_best(share=torch.ones_like),),
            ),
            Mistake(
                "sin-el-cuadrado",
                "has pesado con la longitud del gradiente: la varianza lleva su cuadrado",
                (_best(size=lambda g, a: g.sqrt()),),
            ),
            Mistake(
                "solo-la-sorteada",
                "has contado solo el puntaje de la posición sorteada: al sortear una se mueven "
                "todos los puntajes, −α_j los demás",
                (_best(size=lambda g, a: (1 - a) ** 2),),
            ),
            Mistake(
                "un-solo-puntaje",
                "has minimizado la varianza del primer puntaje, como en el ejercicio de los dos "
                "sorteos: aquí se suman las de todos",
                (_first_score,),
            ),
            Mistake(
                "respecto-a-los-pesos",
                "has derivado ln α respecto a los pesos, que da 1/α: se deriva respecto a los "
                "puntajes, pasando por el softmax",
                (_best(size=lambda g, a: 1 / a**2),),
            ),
            Mistake(
                "sin-restar-la-media",
                "has dado la media de los cuadrados: a la varianza se le resta el cuadrado del "
                "gradiente medio",
                (_best(centred=False),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
