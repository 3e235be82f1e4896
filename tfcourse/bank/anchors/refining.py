"""Ejercicio de código: corregir las cajas capa a capa."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(anchors, corrections):
    layers = []
    for query, anchor in enumerate(anchors.double().tolist()):
        boxes = []
        for number, start in enumerate(anchor):
            odds, column = start / (1 - start), []
            for layer in range(len(corrections)):
                odds *= math.exp(float(corrections[layer, query, number]))
                column.append(odds / (1 + odds))
            boxes.append(column)
        layers.append(boxes)
    return torch.tensor(layers).to(anchors.dtype).permute(2, 0, 1)


def _variant(kind):
    def refine(anchors, corrections):
        logits = anchors.logit()
        return {
            "ancla": (logits + corrections).sigmoid(),
            "sin-inversa": _chained(anchors, corrections),
            "logits": logits + corrections.cumsum(0),
            "directa": anchors + corrections.cumsum(0),
            "ultima": (logits + corrections.sum(0)).sigmoid().expand_as(corrections),
        }[kind]

    return refine


def _chained(anchors, corrections):
    """Sin deshacer la sigmoide: cada capa suma su corrección a la caja de la anterior."""
    boxes = []
    for correction in corrections:
        anchors = (anchors + correction).sigmoid()
        boxes.append(anchors)
    return torch.stack(boxes)


def _case(n_layers, n_queries, seed):
    def make():
        g = seeded(seed)
        anchors = 0.1 + 0.8 * torch.rand(n_queries, 4, generator=g)
        return anchors, torch.randn(n_layers, n_queries, 4, generator=g)

    return make


REFINING = Exercise(
    Card(
        id="corregir-las-cajas",
        title="Corregir las cajas, capa a capa",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encadenar las correcciones de un decodificador",
        hints=(
            "Dos correcciones seguidas, antes de la sigmoide, son su suma: la sigmoide y su "
            "inversa se deshacen por el camino.",
            "`torch.logit` es la inversa de la sigmoide.",
            "`corrections.cumsum(0)` acumula por capas.",
        ),
    ),
    Task(
        function="refine",
        cases=(
            Case("dos capas y tres consultas", _case(2, 3, 0)),
            Case("cinco capas", _case(5, 2, 1)),
            Case("una sola consulta", _case(3, 1, 2)),
            example(
                torch.tensor([[0.5, 0.5, 0.5, 0.5]]),
                torch.tensor([[[0.0, 0.0, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]]]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "desde-el-ancla",
                "cada capa ha partido del ancla: la siguiente parte de la caja ya corregida",
                (_variant("ancla"),),
            ),
            Mistake(
                "sin-inversa",
                "has sumado la corrección a la caja: antes hay que deshacer la sigmoide",
                (_variant("sin-inversa"),),
            ),
            Mistake(
                "sin-sigmoide",
                "falta la sigmoide del final: las cajas van entre 0 y 1",
                (_variant("logits"), _variant("directa")),
            ),
            Mistake(
                "solo-la-ultima",
                "has dado en todas las capas la caja de la última: cada una tiene la suya",
                (_variant("ultima"),),
            ),
        ),
        tolerance=1e-4,
    ),
)
