"""Ejercicio de código: la pérdida de REINFORCE."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reinforce_by_loops(weights, positions, reward, baseline):
    terms = [
        -(gain - float(baseline)) * math.log(row[place])
        for row, place, gain in zip(
            weights.tolist(), positions.tolist(), reward.tolist(), strict=True
        )
    ]
    return torch.tensor(sum(terms) / len(terms), dtype=weights.dtype)


def _reinforce(sign=-1.0, read=torch.log, gain=lambda r, b: r - b, chosen=None, end=torch.mean):
    """Pérdida con alguna pieza cambiada: así se fabrican los errores típicos."""
    chosen = chosen or (lambda w, p: w[torch.arange(len(w)), p])

    def loss(weights, positions, reward, baseline):
        return end(sign * gain(reward, baseline) * read(chosen(weights, positions)))

    return loss


def _case(batch, length, seed, baseline=-0.7, dtype=torch.float32):
    def make():
        scores, reward = random_tensors((batch, length), (batch,), seed=seed, dtype=dtype)
        positions = torch.arange(batch) * 2 % length
        return scores.softmax(-1), positions, reward, torch.tensor(baseline, dtype=dtype)

    return make


REINFORCE = Exercise(
    Card(
        id="reinforce",
        title="Aprender de un sorteo",
        kind="codigo",
        difficulty=3,
        minutes=15,
        points=3,
        objective="escribir una pérdida cuyo gradiente sea, en media, el de la recompensa",
        hints=(
            "De cada fila de weights solo interviene la posición sorteada: "
            "weights[torch.arange(B), positions].",
            "Lo que se deriva es el logaritmo de ese peso; la recompensa menos la línea de base lo "
            "multiplica.",
            "Se quiere subir la recompensa y los optimizadores bajan la pérdida: signo menos. Al "
            "final, la media del lote.",
        ),
    ),
    Task(
        function="reinforce_surrogate",
        cases=(
            Case("un lote de 4", _case(4, 3, seed=0)),
            Case("tantos ejemplos como posiciones", _case(3, 3, seed=1, baseline=0.4)),
            Case("un solo ejemplo", _case(1, 5, seed=2)),
            Case("dos posiciones", _case(5, 2, seed=3, baseline=1.1)),
            Case("números de 64 bits", _case(4, 6, seed=4, dtype=torch.float64)),
            example(
                torch.tensor([[0.5, 0.5], [0.25, 0.75]]),
                torch.tensor([0, 1]),
                torch.tensor([3.0, 1.0]),
                torch.tensor(1.0),
            ),
        ),
        reference=_reinforce_by_loops,
        mistakes=(
            Mistake(
                "signo",
                "el signo está al revés: así se baja la recompensa en lugar de subirla",
                (_reinforce(sign=1.0),),
            ),
            Mistake(
                "sin-logaritmo",
                "falta el logaritmo: con el peso sin más, lo que sale poco se corrige de menos y "
                "la media ya no es el gradiente",
                (_reinforce(read=lambda x: x),),
            ),
            Mistake(
                "sin-linea-de-base",
                "falta restar la línea de base a la recompensa",
                (_reinforce(gain=lambda r, b: r),),
            ),
            Mistake(
                "base-sumada",
                "has sumado la línea de base y se resta",
                (_reinforce(gain=lambda r, b: r + b),),
            ),
            Mistake(
                "el-de-mayor-peso",
                "has usado la posición de mayor peso, y se aprende de la sorteada, `positions`",
                (_reinforce(chosen=lambda w, p: w.amax(-1)),),
            ),
            Mistake(
                "suma-del-lote",
                "has sumado los ejemplos del lote y se pide la media",
                (_reinforce(end=torch.sum),),
            ),
            Mistake(
                "un-numero-por-ejemplo",
                "devuelves un número por ejemplo y se pide uno solo, la media del lote",
                (_reinforce(end=lambda x: x),),
            ),
        ),
    ),
)
