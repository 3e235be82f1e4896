"""Ejercicio de código: normalización de capa."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

EPS = 1e-5


def _by_loops(x, gain, bias):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        mean = sum(row) / len(row)
        variance = sum((value - mean) ** 2 for value in row) / len(row)
        rows.append(gain * (row - mean) / (variance + EPS) ** 0.5 + bias)
    return torch.stack(rows).reshape(x.shape)


def _variant(dim=-1, unbiased=False, eps="dentro", scale=True, center=True):
    def normalise(x, gain, bias):
        centered = x - x.mean(dim, keepdim=True) if center else x
        variance = x.var(dim, keepdim=True, unbiased=unbiased)
        if eps == "varianza":
            result = centered / (variance + EPS)
        elif eps == "fuera":
            result = centered / (variance.sqrt() + EPS)
        else:
            result = centered / (variance + (EPS if eps == "dentro" else 0)).sqrt()
        return gain * result + bias if scale else result

    return normalise


def _case(*shape, seed, spread=1.0):
    def make():
        x, gain, bias = random_tensors(shape, shape[-1:], shape[-1:], seed=seed)
        return spread * x, gain, bias

    return make


def _constant():
    _, gain, bias = random_tensors((1,), (4,), (4,), seed=5)
    return torch.full((2, 3, 4), 2.0), gain, bias


NORM = Exercise(
    Card(
        id="normalizar-capa",
        title="Normalizar cada vector",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="normalizar en el eje correcto y sobrevivir a un vector constante",
        hints=(
            "La media y la varianza son de cada vector: se toman en el último eje, con "
            "`keepdim=True` para poder restar.",
            "La varianza divide entre d, no entre d − 1: `unbiased=False`, o la media de los "
            "cuadrados.",
            "ε = 1e-5 se suma a la varianza antes de la raíz. Después, por `gain` y más `bias`.",
        ),
    ),
    Task(
        function="layer_norm",
        cases=(
            Case("2 frases de 3 tokens", _case(2, 3, 4, seed=0)),
            Case("vectores de dos dimensiones", _case(1, 2, 2, seed=1)),
            Case("vectores muy pequeños", _case(2, 3, 4, seed=2, spread=0.003)),
            Case("un vector constante", _constant),
            Case("un solo eje de lote", _case(3, 5, seed=3)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "varianza-insesgada",
                "tu varianza divide entre d − 1 y aquí se divide entre d: usa `unbiased=False`",
                (_variant(unbiased=True),),
            ),
            Mistake(
                "eje-equivocado",
                "has normalizado a lo largo de las posiciones: cada vector se normaliza por su "
                "cuenta, en el último eje",
                (_variant(dim=-2),),
            ),
            Mistake(
                "sin-epsilon",
                "sin ε, un vector constante divide 0 entre 0: súmala a la varianza",
                (_variant(eps="sin"),),
            ),
            Mistake(
                "epsilon-fuera",
                "has sumado ε fuera de la raíz: va dentro, con la varianza",
                (_variant(eps="fuera"),),
            ),
            Mistake(
                "sin-raiz",
                "has dividido entre la varianza, y es entre su raíz",
                (_variant(eps="varianza"),),
            ),
            Mistake(
                "sin-escala",
                "te faltan `gain` y `bias`: lo normalizado se multiplica por una y se le suma el "
                "otro",
                (_variant(scale=False),),
            ),
            Mistake(
                "sin-centrar",
                "te falta restar la media en el numerador",
                (_variant(center=False),),
            ),
        ),
    ),
)
