"""Ejercicio de código: encontrar el fallo de un softmax en línea."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_rows(q, k, v, block):
    """Sin trozos: cada consulta, con todas sus claves a la vez."""
    rows = []
    for query in q:
        scores = [float(query @ key) / math.sqrt(len(query)) for key in k]
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        rows.append(sum(p * value for p, value in zip(powers, v, strict=True)) / sum(powers))
    return torch.stack(rows)


def _variant(on_total=True, on_mixed=True, scaled=True, last=False):
    def stream(q, k, v, block):
        top = torch.full((len(q),), -math.inf)
        total, mixed = torch.zeros(len(q)), torch.zeros(len(q), v.shape[1])
        for keys, values in zip(k.split(block), v.split(block), strict=True):
            scores = q @ keys.T / (math.sqrt(q.shape[1]) if scaled else 1.0)
            here = scores.amax(-1)
            new_top = torch.maximum(top, here)
            shrink = (top - new_top).exp()
            weights = (scores - new_top[:, None]).exp()
            total = (shrink * total if on_total else total) + weights.sum(-1)
            mixed = (shrink[:, None] * mixed if on_mixed else mixed) + weights @ values
            if last:
                total, mixed = weights.sum(-1), weights @ values
            top = new_top
        return mixed / total[:, None]

    return stream


def _without_shrink(q, k, v, block):
    """Ni siquiera cambia de máximo: el de la primera parte vale para todas."""
    top, total, mixed = None, torch.zeros(len(q)), torch.zeros(len(q), v.shape[1])
    for keys, values in zip(k.split(block), v.split(block), strict=True):
        scores = q @ keys.T / math.sqrt(q.shape[1])
        top = scores.amax(-1) if top is None else top
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        total, mixed = total + weights.sum(-1), mixed + weights @ values
    return mixed / total[:, None]


def _last_alone(q, k, v, block):
    """El softmax del último trozo, con su propio máximo."""
    keys, values = k.split(block)[-1], v.split(block)[-1]
    return (q @ keys.T / math.sqrt(q.shape[1])).softmax(-1) @ values


def _case(n_queries, n_keys, block, seed, scale=1.0):
    def make():
        q, k, v = random_tensors((n_queries, 4), (n_keys, 4), (n_keys, 3), seed=seed)
        return scale * q, k, v, block

    return make


def _hundreds():
    """Números enteros: los puntajes son exactos, y no los cambia el redondeo."""
    q, k, v, block = _case(3, 8, 3, 4, scale=150.0)()
    return q.round(), k.round(), v, block


RESCALING = Exercise(
    Card(
        id="falta-reescalar",
        title="El fallo que solo se nota a veces",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="encontrar un fallo que no se ve si el primer trozo tiene el mayor puntaje",
        hints=(
            "Pruébala con un solo trozo, block = len(k): acierta. Y con dos, si el mayor puntaje "
            "está en el primero, también. ¿Qué pasa si está en el segundo?",
            "Cuando cambia el máximo, `total` se reescala. Mira qué otra cosa estaba medida con el "
            "máximo de antes.",
            "Falta multiplicar `mixed` por `shrink[:, None]` antes de sumarle lo nuevo.",
        ),
    ),
    Task(
        function="streaming_attention",
        cases=(
            Case("7 claves de dos en dos", _case(4, 7, 2, 0)),
            Case("de una en una", _case(3, 5, 1, 1)),
            Case("todas de una vez", _case(2, 6, 6, 2)),
            Case("puntajes muy distintos", _case(3, 8, 3, 3, scale=6.0)),
            Case("puntajes de cientos", _hundreds),
            example(*map(torch.tensor, ([[0.0]], [[1.0], [1.0]], [[2.0], [4.0]])), 1),
        ),
        reference=_by_rows,
        mistakes=(
            Mistake(
                "la-mezcla-no",
                "el fallo sigue ahí: al cambiar el máximo se reescala la suma, pero la mezcla "
                "acumulada, no",
                (_variant(on_mixed=False),),
            ),
            Mistake(
                "la-suma-no",
                "ahora reescalas la mezcla y no la suma: las dos estaban medidas con el máximo de "
                "antes",
                (_variant(on_total=False),),
            ),
            Mistake(
                "ninguna",
                "no reescalas nada: cada trozo queda medido con un máximo distinto",
                (_variant(on_total=False, on_mixed=False), _without_shrink),
            ),
            Mistake(
                "solo-el-ultimo",
                "te has quedado con el último trozo: lo acumulado se suma, no se sustituye",
                (_variant(last=True), _last_alone),
            ),
            Mistake(
                "sin-escalar",
                "falta dividir los puntajes entre la raíz de la dimensión",
                (_variant(scaled=False),),
            ),
        ),
    ),
)
