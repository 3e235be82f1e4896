"""Ejercicio para comprender: una caja que dos capas corrigen."""

import math
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

START, FIRST, SECOND = 0.25, 3, 4

CARD = Card(
    id="corregir-a-mano",
    title="Dos correcciones, a mano",
    kind="comprender",
    difficulty=1,
    minutes=7,
    points=1,
    objective="seguir un ancla por dos capas que la corrigen",
    hints=(
        "La inversa de la sigmoide es el logaritmo de la razón a/(1 − a): sumarle ln k es "
        "multiplicar la razón por k.",
        "De una razón r se vuelve a la coordenada con r/(1 + r).",
        "Con corrección, la segunda capa parte de la coordenada que dejó la primera; sin ella, "
        "del ancla del principio.",
    ),
)


def _moved(start: float, factor: float) -> float:
    odds = factor * start / (1 - start)
    return odds / (1 + odds)


def _given(*values):
    return lambda: values


def _task(start: float, first: int, second: int) -> Task:
    one = _moved(start, first)
    two, alone = _moved(one, second), _moved(start, second)
    return Task(
        function="corrected_by_hand",
        cases=(Case("las tres coordenadas", lambda: ()),),
        reference=_given(one, two, alone),
        outputs=("tras la primera capa", "tras la segunda", "la segunda, sin corregir"),
        mistakes=(
            Mistake(
                "suma-a-la-coordenada",
                "has sumado la corrección a la coordenada: se suma a la inversa de su sigmoide",
                (
                    _given(
                        start + math.log(first),
                        start + math.log(first * second),
                        start + math.log(second),
                    ),
                ),
            ),
            Mistake(
                "multiplica-la-coordenada",
                "has multiplicado la coordenada: lo que se multiplica es la razón a/(1 − a)",
                (_given(start * first, start * first * second, start * second),),
            ),
            Mistake(
                "razon-sin-volver",
                "has dado las razones: falta volver a la coordenada, con r/(1 + r)",
                (_given(*(x / (1 - x) for x in (one, two, alone))),),
            ),
            Mistake(
                "sin-corregir",
                "la segunda capa ha partido del ancla: con corrección parte de lo que dejó la "
                "primera",
                (_given(one, alone, alone),),
            ),
            Mistake(
                "siempre-corregida",
                "sin corrección, la segunda capa no sabe lo que hizo la primera",
                (_given(one, two, two),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _decimal(number: float) -> str:
    return f"{number:g}".replace(".", "{,}")


def _draw(random: Random) -> Variant:
    """Otra ancla y otras dos correcciones, distintas entre sí y de las publicadas."""
    start = random.choice((0.2, 0.4, 0.5, 0.6, 0.75))
    first, second = random.sample((2, 3, 4, 5, 6, 8), 2)
    changes = (
        (f"$c_x = {_decimal(START)}$", f"$c_x = {_decimal(start)}$"),
        (rf"$\Delta_1 = \ln {FIRST}$", rf"$\Delta_1 = \ln {first}$"),
        (rf"$\Delta_2 = \ln {SECOND}$", rf"$\Delta_2 = \ln {second}$"),
    )
    return Variant(Exercise(CARD, _task(start, first, second)), changes)


CORRECTING = Exercise(CARD, _task(START, FIRST, SECOND), _draw)
