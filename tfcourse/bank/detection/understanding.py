"""Ejercicio para comprender: la GIoU a mano."""

from random import Random

from tfcourse.bank.detection.drawing import crossing_boxes, tells_apart
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

BOXES = (0, 0, 4, 2), (3, 1, 6, 3)

CARD = Card(
    id="giou-a-mano",
    title="La GIoU, a mano",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="medir dos cajas con la IoU y con la GIoU",
    hints=(
        "La intersección va del mayor de los comienzos al menor de los finales, en cada eje.",
        "La unión es la suma de las áreas menos la intersección, que se ha contado dos veces.",
        "La caja que las contiene va del menor comienzo al mayor final. Se resta la parte de "
        "ella que no es de ninguna.",
    ),
)


def _pair(first, second):
    return lambda: (first, second)


def _area(x1, y1, x2, y2):
    return (x2 - x1) * (y2 - y1)


def _areas(a, b):
    """Las áreas de la intersección, de las dos cajas y de la que las contiene."""
    inside = [*map(max, a[:2], b[:2]), *map(min, a[2:], b[2:])]
    around = [*map(min, a[:2], b[:2]), *map(max, a[2:], b[2:])]
    return _area(*inside), _area(*a) + _area(*b), _area(*around)


def _task(a, b) -> Task:
    common, both, hull = _areas(a, b)
    union = both - common
    iou, gap = common / union, (hull - union) / hull
    twice = common / both
    return Task(
        function="giou_by_hand",
        cases=(Case("las dos cajas del enunciado", lambda: ()),),
        reference=_pair(iou, iou - gap),
        outputs=("la IoU", "la GIoU"),
        mistakes=(
            Mistake(
                "union-sin-restar",
                "en la unión has contado dos veces lo común: réstalo una vez",
                (_pair(twice, twice - (hull - both) / hull), _pair(twice, iou - gap)),
            ),
            Mistake(
                "al-reves",
                "las has cambiado de sitio: la GIoU nunca es mayor que la IoU",
                (_pair(iou - gap, iou),),
            ),
            Mistake(
                "hueco-entre-la-union",
                "el hueco se divide entre el área de la caja que las contiene, no entre la unión",
                (_pair(iou, iou - (hull - union) / union),),
            ),
            Mistake(
                "sin-hueco",
                "la segunda es igual que la primera: falta restar la parte de la caja que las "
                "contiene que no es de ninguna",
                (_pair(iou, iou),),
            ),
            Mistake(
                "sumado",
                "has sumado el hueco: cuanto más hueco, menos se parecen",
                (_pair(iou, iou + gap),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


PUBLISHED = _task(*BOXES)


def _draw(random: Random) -> Variant:
    """Otras dos cajas de esquinas pequeñas que se cruzan."""
    boxes = crossing_boxes(random, 8)
    while not tells_apart(CARD, _task(*boxes), PUBLISHED):
        boxes = crossing_boxes(random, 8)
    changes = (
        ("$A = (0, 0, 4, 2)$", f"$A = {tuple(boxes[0])}$"),
        ("$B = (3, 1, 6, 3)$", f"$B = {tuple(boxes[1])}$"),
    )
    return Variant(Exercise(CARD, _task(*boxes)), changes)


BY_HAND = Exercise(CARD, PUBLISHED, _draw)
