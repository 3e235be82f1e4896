"""Ejercicio abierto: cuándo deja de compensar preentrenar."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(labels, per_class):
    """Clip a clip, llevando la cuenta de cada clase."""
    seen, found = {}, []
    for place, label in enumerate(labels.tolist()):
        seen[label] = seen.get(label, 0) + 1
        if seen[label] <= per_class:
            found.append(place)
    return torch.tensor(found)


def _first(labels, per_class):
    return torch.arange(min(len(labels), per_class * len(labels.unique())))


def _last(labels, per_class):
    size = len(labels)
    return (size - 1 - _by_loops(labels.flip(0), per_class)).flip(0)


def _variant(extra=0, values=False, grouped=False, mask=False):
    def few(labels, per_class):
        found = _by_loops(labels, per_class + extra)
        if grouped:
            found = found[labels[found].sort(stable=True).indices]
        if mask:
            return torch.zeros(len(labels), dtype=torch.bool).index_fill_(0, found, True)
        return labels[found] if values else found

    return few


def _case(size, classes, per_class, seed=0):
    def make():
        generator = seeded(seed)
        return torch.randint(classes, (size,), generator=generator), per_class

    return make


FEW = Exercise(
    Card(
        id="cuando-compensa-preentrenar",
        title="¿Cuándo compensa preentrenar?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="averiguar con un experimento a partir de cuántas etiquetas da igual",
        hints=(
            "Para first_of_each: recorre las etiquetas y lleva la cuenta de cada una.",
            "Sin bucle: torch.eye(clases)[labels].cumsum(0) dice cuántas van de cada clase.",
            "Para el experimento: las mismas semillas y los mismos clips en todas las maneras de "
            "empezar, y los modelos lineales al lado.",
        ),
    ),
    Task(
        function="first_of_each",
        cases=(
            Case("dos clases", lambda: (torch.tensor([0, 0, 1, 0, 1, 1]), 1)),
            Case("dos de cada", _case(30, 4, 2, seed=1)),
            Case("cinco de cada", _case(60, 3, 5, seed=2)),
            Case("desordenadas", lambda: (torch.tensor([2, 1, 1, 0, 2, 0, 1, 2, 0]), 2)),
            example(torch.tensor([2, 2, 0, 2, 0]), 1),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "los-primeros",
                "has tomado los primeros clips, sean de la clase que sean",
                (_first,),
            ),
            Mistake(
                "los-ultimos",
                "has tomado los últimos de cada clase: se piden los primeros",
                (_last,),
            ),
            Mistake(
                "uno-de-mas",
                "has tomado uno de más de cada clase",
                (_variant(extra=1),),
            ),
            Mistake(
                "etiquetas",
                "has devuelto las etiquetas: se piden los índices",
                (_variant(values=True),),
            ),
            Mistake(
                "agrupados",
                "los índices salen agrupados por clase: van en el orden de los datos",
                (_variant(grouped=True),),
            ),
            Mistake(
                "mascara",
                "has devuelto una máscara: se piden los índices, con nonzero()",
                (_variant(mask=True),),
            ),
        ),
        differentiable=False,
    ),
)
