"""Ejercicio de código: los tres fallos de un aumento por reflejo."""

from itertools import product

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(points, visible, pairs):
    other = {left: right for left, right in pairs} | {right: left for left, right in pairs}
    places, seen = [], []
    for pose, flags in zip(points.tolist(), visible.tolist(), strict=True):
        order = [other.get(joint, joint) for joint in range(len(pose))]
        places.append([[1 - pose[joint][0], pose[joint][1]] for joint in order])
        seen.append([flags[joint] for joint in order])
    return torch.tensor(places), torch.tensor(seen)


def _variant(reflect="x", swap="bien", seen=True):
    def mirrored(points, visible, pairs):
        places, flags = points.clone(), visible.clone()
        if reflect == "primera":
            places[:, 0] = 1 - places[:, 0]
        elif reflect == "las dos":
            places = 1 - places
        else:
            axis = 0 if reflect == "x" else 1
            places[..., axis] = 1 - places[..., axis]
        order = list(range(places.shape[1]))
        for left, right in pairs:
            if swap == "bien":
                order[left], order[right] = right, left
            elif swap == "pisado":
                order[left] = right
        fair = list(range(places.shape[1]))
        for left, right in pairs:
            fair[left], fair[right] = right, left
        return places[:, order], flags[:, fair] if seen else flags

    return mirrored


def _variants(reflections, swaps, seens):
    return tuple(_variant(*options) for options in product(reflections, swaps, seens))


def _case(n, k, pairs, seed):
    def make():
        g = seeded(seed)
        return torch.rand(n, k, 2, generator=g), torch.rand(n, k, generator=g) > 0.4, pairs

    return make


MIRROR = Exercise(
    Card(
        id="el-espejo",
        title="Tres fallos delante del espejo",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encontrar y arreglar los fallos de un aumento de datos que nadie ve",
        hints=(
            "Escribe `points[:, 0]` con un lote de dos figuras: ¿qué forma tiene?",
            "Sigue con el dedo un intercambio: cuando se lee `points[:, left]` por segunda vez, "
            "¿qué hay ahí?",
            "Si la muñeca izquierda pasa a ser la derecha, lo que se sabía de ella va detrás.",
        ),
    ),
    Task(
        function="mirrored",
        cases=(
            Case("trece articulaciones", _case(4, 13, [(1, 2), (3, 4), (5, 6)], 0)),
            Case("cinco articulaciones", _case(6, 5, [(1, 2), (3, 4)], 1)),
            Case("pares que no van seguidos", _case(5, 6, [(0, 3), (4, 2)], 2)),
            Case("ninguna pareja", _case(3, 4, [], 3)),
            example(
                torch.tensor([[[0.5, 0.1], [0.25, 0.5], [1.0, 0.5]]]),
                torch.tensor([[True, True, False]]),
                [(1, 2)],
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "la-primera",
                "has reflejado la primera articulación, con su x y su y: la x es `[..., 0]`",
                _variants(("primera",), ("bien", "pisado", "no"), (True, False)),
            ),
            Mistake(
                "otro-eje",
                "has reflejado la y: al espejo se cambian la izquierda y la derecha, que es la x",
                _variants(("y", "las dos"), ("bien", "pisado", "no"), (True, False)),
            ),
            Mistake(
                "pisada",
                "al intercambiar, una de las dos se pierde: cuando se lee, ya está pisada",
                _variants(("x",), ("pisado",), (True, False)),
            ),
            Mistake(
                "sin-intercambiar",
                "en el espejo, la muñeca izquierda es la derecha: intercambia cada pareja",
                _variants(("x",), ("no",), (True, False)),
            ),
            Mistake(
                "visibles-sin-cambiar",
                "los puntos están bien, pero si se ven también tiene que intercambiarse",
                (_variant(seen=False),),
            ),
        ),
        outputs=("puntos", "si se ven"),
        differentiable=False,
    ),
)
