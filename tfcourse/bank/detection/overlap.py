"""Ejercicio de código: la GIoU de dos cajas."""

from tfcourse.bank.detection.drawing import crossing_boxes
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reference(a, b):
    """Por cuentas de longitudes, eje a eje."""
    common, hull, areas = 1.0, 1.0, [1.0, 1.0]
    for axis in (0, 1):
        low, high = (a[axis], b[axis]), (a[axis + 2], b[axis + 2])
        length = min(high) - max(low)
        common *= length if length > 0 else 0.0
        hull *= max(high) - min(low)
        areas = [area * (h - x) for area, h, x in zip(areas, high, low, strict=True)]
    union = sum(areas) - common
    return common / union - (hull - union) / hull


def _variant(clip=True, twice=False, gap=True, over_union=False, swap=False, sign=-1):
    def giou(a, b):
        sides = [min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1)]
        hulls = [max(a[i + 2], b[i + 2]) - min(a[i], b[i]) for i in (0, 1)]
        if clip:
            sides = [max(0.0, side) for side in sides]
        if swap:
            hulls = [min(a[i + 2], b[i + 2]) - min(a[i], b[i]) for i in (0, 1)]
        common, hull = sides[0] * sides[1], hulls[0] * hulls[1]
        areas = [(x[2] - x[0]) * (x[3] - x[1]) for x in (a, b)]
        union = sum(areas) - (0.0 if twice else common)
        rest = (hull - union) / (union if over_union else hull) if gap else 0.0
        return common / union + sign * rest

    return giou


def _case(a, b):
    return lambda: (list(a), list(b))


def _random_case(seed, right=0.0):
    """Dos cajas que se cruzan; con `right`, la segunda se lleva hacia la derecha."""

    def make():
        a, b = ([edge / 4 for edge in box] for box in crossing_boxes(chance(seed), 40))
        return a, [b[0] + right, b[1], b[2] + right, b[3]]

    return make


GIOU = Exercise(
    Card(
        id="giou-en-codigo",
        title="La GIoU, en código",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir la GIoU de modo que aguante cajas separadas y anidadas",
        hints=(
            "Los lados de la intersección: el menor final menos el mayor comienzo.",
            "Si un lado sale negativo no hay intersección: déjalo en cero antes de multiplicar.",
            "La caja que las contiene: el mayor de los finales menos el menor de los comienzos.",
        ),
    ),
    Task(
        function="generalized_iou",
        cases=(
            Case("a medias", _case((0.0, 0.0, 2.0, 2.0), (1.0, 0.0, 3.0, 2.0))),
            Case("separadas en diagonal", _case((0.0, 0.0, 1.0, 2.0), (3.0, 4.0, 5.0, 6.0))),
            Case("separadas en un eje", _case((0.0, 0.0, 2.0, 2.0), (5.0, 1.0, 6.0, 4.0))),
            Case("anidadas", _case((0.0, 0.0, 4.0, 4.0), (1.0, 1.0, 2.0, 3.0))),
            Case("se tocan por un lado", _case((0.0, 0.0, 2.0, 3.0), (2.0, 0.0, 4.0, 1.0))),
            Case("iguales", _case((1.0, 2.0, 4.0, 6.0), (1.0, 2.0, 4.0, 6.0))),
            Case("dos al azar, que se cruzan", _random_case(0)),
            Case("dos al azar, separadas", _random_case(1, right=12.0)),
            example([0.0, 0.0, 2.0, 2.0], [4.0, 0.0, 6.0, 2.0], in_words=True),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "sin-recorte",
                "con las cajas separadas en los dos ejes, dos lados negativos dan una intersección "
                "positiva: corta cada lado en cero antes de multiplicar",
                (_variant(clip=False),),
            ),
            Mistake(
                "union-sin-restar",
                "en la unión has contado dos veces lo común: réstalo una vez",
                (_variant(twice=True),),
            ),
            Mistake(
                "solo-iou",
                "eso es la IoU: falta restar el hueco de la caja que las contiene",
                (_variant(gap=False),),
            ),
            Mistake(
                "hueco-entre-la-union",
                "el hueco se divide entre el área de la caja que las contiene, no entre la unión",
                (_variant(over_union=True),),
            ),
            Mistake(
                "sumado",
                "has sumado el hueco: cuanto más hueco, menos se parecen",
                (_variant(sign=1),),
            ),
        ),
        differentiable=False,
    ),
)
