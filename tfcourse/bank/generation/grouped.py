"""Ejercicio de código: de una cabeza de claves por consulta a una por grupo (GQA)."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(weight, n_heads, n_groups):
    width, together = len(weight) // n_heads, n_heads // n_groups
    rows = []
    for group in range(n_groups):
        for row in range(width):
            heads = range(group * together, (group + 1) * together)
            rows.append(sum(weight[head * width + row] for head in heads) / together)
    return torch.stack(rows)


def _split(weight, n_heads, n_groups):
    """`(G, H/G, Dh, D)`: las cabezas de cada grupo, seguidas."""
    return weight.unflatten(0, (n_groups, n_heads // n_groups, -1))


def _alternate(weight, n_heads, n_groups):
    return weight.unflatten(0, (n_heads // n_groups, n_groups, -1)).mean(0).flatten(0, 1)


def _by_rows(weight, n_heads, n_groups):
    together = n_heads // n_groups
    return weight.unflatten(0, (-1, together)).mean(1)


def _case(n_heads, n_groups, width, d, seed):
    def make():
        (weight,) = random_tensors((n_heads * width, d), seed=seed)
        return weight, n_heads, n_groups

    return make


GROUPED = Exercise(
    Card(
        id="de-mha-a-gqa",
        title="Juntar cabezas ya entrenadas",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="deducir las proyecciones de GQA a partir de las de un modelo entrenado",
        hints=(
            "Las filas de la matriz van cabeza a cabeza: las primeras D_h son de la cabeza 0.",
            "weight.unflatten(0, (G, H // G, D_h)) separa los grupos, las cabezas de cada uno y "
            "sus filas.",
            "La media se hace entre las cabezas de un grupo, fila con fila; después se vuelven a "
            "apilar los grupos.",
        ),
    ),
    Task(
        function="grouped_projection",
        cases=(
            Case("8 cabezas en 2 grupos", _case(8, 2, 3, 5, 0)),
            Case("6 cabezas en 3 grupos", _case(6, 3, 2, 4, 1)),
            Case("un solo grupo, como en MQA", _case(4, 1, 3, 4, 2)),
            Case("tantos grupos como cabezas: no cambia nada", _case(4, 4, 2, 3, 3)),
            example(torch.tensor([[1.0], [3.0], [5.0], [9.0]]), 4, 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "la-primera",
                "te has quedado con la primera cabeza de cada grupo: se pide la media de todas",
                (lambda w, h, g: _split(w, h, g)[:, 0].flatten(0, 1),),
            ),
            Mistake(
                "suma",
                "has sumado las cabezas del grupo: las claves saldrían varias veces más largas",
                (lambda w, h, g: _split(w, h, g).sum(1).flatten(0, 1),),
            ),
            Mistake(
                "alternas",
                "has juntado cabezas salteadas: las de un grupo son consecutivas",
                (_alternate,),
            ),
            Mistake(
                "por-filas",
                "has promediado filas seguidas, que son de la misma cabeza: se promedia la fila i "
                "de una cabeza con la fila i de las otras",
                (_by_rows,),
            ),
        ),
    ),
)
