"""Ejercicio de código: la parte de articulaciones bien puestas."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(found, points, sides, marked, alpha):
    right = total = 0
    for i in range(len(found)):
        for k in range(found.shape[1]):
            if marked[i, k]:
                total += 1
                away = math.dist(found[i, k].tolist(), points[i, k].tolist())
                right += away <= alpha * float(sides[i])
    return right / total


def _variant(kind):
    def share(found, points, sides, marked, alpha):
        apart = found - points
        away = apart.square().sum(-1).sqrt()
        limit = alpha * sides[:, None]
        right = away <= limit
        if kind == "sin-lado":
            right = away <= alpha
        if kind == "lado-medio":
            right = away <= alpha * sides.mean()
        if kind == "cuadrado":
            right = apart.square().sum(-1) <= limit
        if kind == "eje":
            right = (apart.abs() <= limit[..., None]).all(-1)
        if kind == "fallos":
            right = away > limit
        if kind == "sin-marca":
            return float(right.float().mean())
        if kind == "todas":
            return float((right & marked).float().mean())
        if kind == "por-figura":
            each = (right & marked).sum(1) / marked.sum(1)
            return float(each.mean())
        return float(right[marked].float().mean())

    return share


def _case(n, k, seed, alpha):
    def make():
        g = seeded(seed)
        sides = 0.2 + 1.6 * torch.rand(n, generator=g)
        points = torch.rand(n, k, 2, generator=g)
        found = points + 0.22 * torch.randn(n, k, 2, generator=g)
        marked = torch.rand(n, k, generator=g) > 0.35
        marked[0] = True
        marked[1:, 0] = True
        return found, points, sides, marked, alpha

    return make


CORRECT = Exercise(
    Card(
        id="pck-en-codigo",
        title="La parte de articulaciones bien puestas",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="medir una pose con un listón que depende del tamaño de la figura",
        hints=(
            "La distancia de cada articulación es la raíz de la suma de los dos cuadrados.",
            "El listón es `alpha * sides`, uno por figura: dale un eje más para compararlo.",
            "Quédate solo con las anotadas, todas juntas, y haz su media.",
        ),
    ),
    Task(
        function="correct_share",
        cases=(
            Case("cuatro figuras de trece", _case(4, 13, 0, 0.2)),
            Case("nueve figuras, listón flojo", _case(9, 13, 1, 0.5)),
            Case("seis figuras de cinco", _case(6, 5, 2, 0.3)),
            Case("doce figuras", _case(12, 7, 3, 0.4)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-lado",
                "has comparado con `alpha` a secas: el listón es `alpha` veces el lado de cada "
                "figura",
                (_variant("sin-lado"),),
            ),
            Mistake(
                "un-liston-para-todas",
                "has usado el mismo lado para todas: cada figura tiene el suyo",
                (_variant("lado-medio"),),
            ),
            Mistake(
                "al-cuadrado",
                "has comparado la distancia al cuadrado con el listón: falta la raíz",
                (_variant("cuadrado"),),
            ),
            Mistake(
                "eje-a-eje",
                "has mirado x e y por separado: cuenta la distancia en línea recta",
                (_variant("eje"),),
            ),
            Mistake(
                "sin-anotar",
                "has contado las articulaciones sin anotar: nadie sabe dónde están",
                (_variant("sin-marca"),),
            ),
            Mistake(
                "entre-todas",
                "has dividido entre todas las articulaciones: se divide entre las anotadas",
                (_variant("todas"),),
            ),
            Mistake(
                "media-de-medias",
                "has hecho la media de cada figura y luego la de las figuras: se cuentan todas "
                "juntas",
                (_variant("por-figura"),),
            ),
            Mistake(
                "los-fallos",
                "has contado los fallos: es la parte de aciertos",
                (_variant("fallos"),),
            ),
        ),
        differentiable=False,
    ),
)
