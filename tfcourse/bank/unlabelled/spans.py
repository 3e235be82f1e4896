"""Ejercicio de código: de los comienzos de los tramos a las posiciones tapadas."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(starts, span):
    """Fila a fila y posición a posición."""
    found = []
    for row in starts.tolist():
        found.append([any(row[max(0, place - span + 1) : place + 1]) for place in range(len(row))])
    return torch.tensor(found)


def _variant(extra=0, back=False, wrap=False, only=False, flip=False):
    def cover(starts, span):
        hidden = torch.zeros_like(starts)
        length = starts.shape[1]
        for offset in range(1 if only else span + extra):
            shift = -offset if back else offset
            moved = starts.roll(shift, dims=1)
            if not wrap:
                places = torch.arange(length)
                source = places - shift
                moved = moved & (source >= 0) & (source < length)
            hidden = hidden | moved
        return ~hidden if flip else hidden

    return cover


def _case(shape, span, seed=0, share=0.2):
    def make():
        generator = seeded(seed)
        return torch.rand(shape, generator=generator) < share, span

    return make


SPANS = Exercise(
    Card(
        id="de-comienzos-a-tramos",
        title="De comienzos a tramos",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="tapar tramos que pueden solaparse a partir de dónde empiezan",
        hints=(
            "Una posición está tapada si empieza un tramo en ella o en alguna de las span − 1 "
            "anteriores.",
            "Recorre los desplazamientos 0, 1, …, span − 1 y haz un «o» con |=.",
            "hidden[:, offset:] |= starts[:, : length − offset]: lo que se sale por la derecha se "
            "pierde.",
        ),
    ),
    Task(
        function="cover_spans",
        cases=(
            Case("un tramo", lambda: (torch.tensor([[False, True, False, False, False]]), 2)),
            Case(
                "hasta el borde",
                lambda: (torch.tensor([[True, False, False, False, False, True]]), 3),
            ),
            Case("solapados", _case((2, 12), 4, seed=1)),
            Case("tramos de uno", _case((3, 9), 1, seed=2, share=0.4)),
            Case("muchos", _case((4, 20), 5, seed=3)),
            example(torch.tensor([[True, False, False, False, True]]), 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "uno-de-mas",
                "tus tramos tienen una posición de más",
                (_variant(extra=1),),
            ),
            Mistake(
                "uno-de-menos",
                "tus tramos tienen una posición de menos",
                (_variant(extra=-1),),
            ),
            Mistake(
                "hacia-atras",
                "has tapado hacia atrás: un tramo empieza en su marca y sigue hacia la derecha",
                (_variant(back=True),),
            ),
            Mistake(
                "da-la-vuelta",
                "lo que se sale por la derecha te aparece por la izquierda: ahí se acaba el clip",
                (_variant(wrap=True),),
            ),
            Mistake(
                "solo-comienzos",
                "has tapado solo la posición en la que empieza cada tramo",
                (_variant(only=True),),
            ),
            Mistake(
                "al-reves",
                "has marcado las visibles: True es tapada",
                (_variant(flip=True),),
            ),
        ),
        differentiable=False,
    ),
)
