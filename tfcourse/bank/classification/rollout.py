"""Ejercicio de código: el despliegue de la atención."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_paths(maps):
    """Lo que llega de cada token, empujándolo por las capas, uno cada vez."""
    length = maps[0].shape[-1]
    columns = []
    for source in range(length):
        amount = torch.zeros(length)
        amount[source] = 1.0
        for heads in maps:
            mean = heads.sum(dim=0) / heads.shape[0]
            amount = 0.5 * amount + 0.5 * (mean * amount).sum(dim=1)
        columns.append(amount)
    return torch.stack(columns, dim=1)


def _variant(residual=True, reverse=False, pool="mean", only=None, half=True, swapped=False):
    def rollout(maps):
        identity = torch.eye(maps[0].shape[-1])
        total, chosen = identity, maps if only is None else [maps[only]]
        for heads in chosen:
            mixed = {"mean": heads.mean(0), "sum": heads.sum(0), "first": heads[0],
                     "max": heads.max(0).values}[pool]  # fmt: skip
            if residual:
                mixed = (0.5 if half else 1) * (identity + mixed)
            total = total @ mixed if reverse else mixed @ total
        return total.T if swapped else total

    return rollout


def _average(maps):
    identity = torch.eye(maps[0].shape[-1])
    return sum(0.5 * identity + 0.5 * heads.mean(0) for heads in maps) / len(maps)


def _case(layers, heads, length, seed=0):
    def make():
        generator = seeded(seed)
        maps = 2 * torch.randn(layers, heads, length, length, generator=generator)
        return (list(maps.softmax(dim=-1)),)

    return make


ROLLOUT = Exercise(
    Card(
        id="despliegue-de-la-atencion",
        title="Tres fallos en el despliegue",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar los fallos de un despliegue que da números creíbles",
        hints=(
            "Suma las filas de lo que da el código con una sola capa: ¿cuánto debería salir?",
            "En cada capa: la media de las cabezas, y con la identidad, mitad y mitad.",
            "La capa nueva va a la izquierda del producto: total = nueva @ total.",
        ),
    ),
    Task(
        function="rollout",
        cases=(
            Case("una capa y una cabeza", _case(1, 1, 3)),
            Case("una capa y dos cabezas", _case(1, 2, 4, seed=1)),
            Case("dos capas", _case(2, 2, 4, seed=2)),
            Case("tres capas y tres cabezas", _case(3, 3, 5, seed=3)),
            example([torch.tensor([[[0.0, 1.0], [0.0, 1.0]]])]),
        ),
        reference=_by_paths,
        mistakes=(
            Mistake(
                "sin-residual",
                "te falta el camino residual: la mitad es la identidad",
                (_variant(residual=False),),
            ),
            Mistake(
                "orden-al-reves",
                "has multiplicado al revés: la capa de después va a la izquierda",
                tuple(
                    _variant(reverse=True, pool=pool, half=half)
                    for pool in ("mean", "sum")
                    for half in (True, False)
                ),
            ),
            Mistake(
                "solo-la-ultima",
                "solo has usado la última capa",
                (_variant(only=-1),),
            ),
            Mistake(
                "cabezas-sumadas",
                "has sumado las cabezas: es su media, y así cada fila suma 1",
                (_variant(pool="sum"), _variant(pool="sum", half=False)),
            ),
            Mistake(
                "una-cabeza",
                "solo has mirado una cabeza: se promedian todas",
                (_variant(pool="first"),),
            ),
            Mistake(
                "sin-mitades",
                "has sumado la identidad sin repartir: con mitad y mitad, las filas suman 1",
                (_variant(half=False),),
            ),
            Mistake(
                "media-de-capas",
                "has promediado las capas: se multiplican, porque una lee lo que escribió la otra",
                (_average,),
            ),
        ),
        differentiable=False,
    ),
)
