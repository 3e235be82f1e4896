"""Ejercicio abierto: borrar parches para poner a prueba una explicación."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(patches, ranking, k):
    """Imagen a imagen, ordenando los sitios."""
    rows = []
    for cells, scores in zip(patches.tolist(), ranking.tolist(), strict=True):
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        gone = set(order[:k])
        rows.append([[0.0] * len(c) if i in gone else c for i, c in enumerate(cells)])
    return torch.tensor(rows).view(patches.shape)


def _variant(largest=True, same=False, keep=False, extra=0, value=0.0):
    def erase(patches, ranking, k):
        scores = ranking.mean(0, keepdim=True).expand_as(ranking) if same else ranking
        places = scores.topk(min(k + extra, scores.shape[1]), dim=1, largest=largest).indices
        gone = torch.zeros(ranking.shape).scatter(1, places, 1.0).bool()
        if keep:
            gone = ~gone
        return patches.masked_fill(gone[..., None], value)

    return erase


def _in_place(patches, ranking, k):
    return patches


def _case(count, n_patches, width, k, seed=0):
    def make():
        generator = seeded(seed)
        patches = torch.rand(count, n_patches, width, generator=generator) + 0.1
        return patches, torch.rand(count, n_patches, generator=generator), k

    return make


ERASE = Exercise(
    Card(
        id="borrar-para-explicar",
        title="¿Explica algo el mapa?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="poner a prueba con un experimento lo que un mapa parece explicar",
        hints=(
            "Para erase_patches: ranking.topk(k, dim=1).indices dice qué sitios se borran en cada "
            "imagen. Con scatter se hace de una vez.",
            "Cada imagen borra los suyos, y los demás parches se quedan igual. No cambies el "
            "tensor que te llega: devuelve otro.",
            "Para el experimento: compara siempre con borrar el mismo número al azar y con una "
            "regla que no mire el modelo. ¿Qué curva te haría decir que el mapa no explica nada?",
        ),
    ),
    Task(
        function="erase_patches",
        cases=(
            Case("un parche", _case(2, 4, 3, 1)),
            Case("dos parches", _case(3, 5, 2, 2, seed=1)),
            Case("todos", _case(2, 4, 2, 4, seed=2)),
            Case("ninguno", _case(2, 4, 2, 0, seed=3)),
            Case("muchos", _case(4, 9, 4, 5, seed=4)),
            example(torch.tensor([[[5.0], [7.0]]]), torch.tensor([[0.1, 0.9]]), 1),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "los-menos-senalados",
                "has borrado los menos señalados: se borran los de mayor puntuación",
                (_variant(largest=False),),
            ),
            Mistake(
                "los-mismos-en-todas",
                "has borrado los mismos sitios en todas las imágenes: cada una tiene los suyos",
                (_variant(same=True),),
            ),
            Mistake(
                "borra-los-demas",
                "has borrado los que había que dejar",
                (_variant(keep=True),),
            ),
            Mistake(
                "uno-de-mas",
                "borras un parche de más",
                (_variant(extra=1),),
            ),
            Mistake(
                "sin-borrar",
                "devuelves los parches tal como llegaron",
                (_in_place,),
            ),
            Mistake(
                "tinta-entera",
                "has puesto unos: en estas imágenes, el papel en blanco es 0",
                (_variant(value=1.0),),
            ),
        ),
        differentiable=False,
    ),
)
