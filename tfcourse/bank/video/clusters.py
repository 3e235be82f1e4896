"""Ejercicio de código: una vuelta de k-medias."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _distances(points, centers):
    return (points[:, None] - centers[None]).square().sum(dim=-1)


def _by_loops(points, centers):
    which = _distances(points, centers).argmin(dim=1)
    rows = []
    for k, center in enumerate(centers):
        mine = points[which == k]
        rows.append(mine.mean(dim=0) if len(mine) else center)
    return torch.stack(rows)


def _variant(choose=None, reduce=None, empty=None):
    def one_round(points, centers):
        which = choose(points, centers) if choose else _distances(points, centers).argmin(dim=1)
        rows = []
        for k, center in enumerate(centers):
            mine = points[which == k]
            if len(mine):
                rows.append(reduce(mine) if reduce else mine.mean(dim=0))
            else:
                rows.append(empty(center, points) if empty else center)
        return torch.stack(rows)

    return one_round


def _first_axis_only(points, centers):
    return (points[:, None, 0] - centers[None, :, 0]).abs().argmin(dim=1)


def _by_dot_product(points, centers):
    return (points @ centers.T).argmax(dim=1)


def _farthest(points, centers):
    return _distances(points, centers).argmax(dim=1)


def _nearest_point(points, centers):
    return points[_distances(points, centers).argmin(dim=0)]


def _nothing_there(center, points):
    return torch.zeros_like(center)


def _not_a_number(center, points):
    return torch.full_like(center, float("nan"))


def _general_mean(center, points):
    return points.mean(dim=0)


def _as_given(points, centers):
    """El código del enunciado."""
    which = (points[:, None] - centers[None]).sum(-1).abs().argmin(1)
    return torch.stack([points[which == k].mean(0) for k in range(len(centers))])


def _case(n, k, size, seed):
    def make():
        generator = seeded(seed)
        points = torch.randn(n, size, generator=generator)
        return points, points[:k] + 0.5 * torch.randn(k, size, generator=generator)

    return make


def _with_an_empty_one():
    points = torch.tensor([[0.0, 1.0], [1.0, 0.0], [4.0, 4.0], [5.0, 4.0]])
    return points, torch.tensor([[0.0, 0.0], [5.0, 5.0], [-9.0, 9.0]])


CLUSTERS = Exercise(
    Card(
        id="una-vuelta-de-k-medias",
        title="Dos fallos en una vuelta de k-medias",
        kind="codigo",
        difficulty=2,
        minutes=14,
        points=3,
        objective="encontrar los fallos de una vuelta que con un eje y grupos claros acierta",
        hints=(
            "Las distancias de todos con todos: points[:, None] − centers[None], al cuadrado y "
            "sumadas en el último eje.",
            "argmin en el eje de los centros dice de quién es cada punto.",
            "Un centro al que no le toca ningún punto se queda donde está.",
        ),
    ),
    Task(
        function="one_round",
        cases=(
            Case("dos grupos en el plano", _case(8, 2, 2, 0)),
            Case("tres centros en cinco dimensiones", _case(30, 3, 5, 1)),
            Case("un centro sin puntos", _with_an_empty_one),
            example(torch.tensor([[0.0], [1.0], [5.0]]), torch.tensor([[0.0], [4.0], [90.0]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "centro-vacio",
                "un centro se ha quedado sin puntos y lo has perdido: se queda donde estaba",
                (
                    _variant(empty=_nothing_there),
                    _variant(empty=_not_a_number),
                    _variant(empty=_general_mean),
                ),
            ),
            Mistake(
                "suma",
                "has sumado los puntos de cada centro: falta dividir entre cuántos son",
                (_variant(reduce=lambda mine: mine.sum(dim=0)),),
            ),
            Mistake(
                "mediana",
                "has tomado la mediana de los puntos: se pide la media",
                (_variant(reduce=lambda mine: mine.median(dim=0).values),),
            ),
            Mistake(
                "producto",
                "has elegido el centro de mayor producto escalar, que prefiere los centros largos: "
                "se pide el más cercano",
                (_variant(choose=_by_dot_product),),
            ),
            Mistake(
                "el-mas-lejano",
                "a cada punto le has dado el centro más lejano",
                (_variant(choose=_farthest),),
            ),
            Mistake(
                "un-solo-eje",
                "has mirado la distancia en un solo eje: suma las de todos",
                (_variant(choose=_first_axis_only),),
            ),
            Mistake(
                "punto-mas-cercano",
                "has movido cada centro al punto más cercano: se mueve a la media de los suyos",
                (_nearest_point,),
            ),
        ),
        differentiable=False,
    ),
)
