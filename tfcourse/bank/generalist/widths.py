"""Ejercicio para comprender: cuánto mide una casilla de la ley μ según dónde esté."""

import math
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

MU, SPAN, BINS = 100, 256, 1024
PUBLISHED = 8

CARD = Card(
    id="anchura-de-una-casilla",
    title="Cuánto mide una casilla",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=1,
    objective="deducir de una fórmula con cuánto detalle se ve cada número",
    hints=(
        "Todas las casillas miden lo mismo después de F: 2 / 1024.",
        "Cerca de x, una casilla abarca esa anchura dividida entre la pendiente, F′(x).",
        "F′(x) = μ / ((μ|x| + 1) · ln(μM + 1)).",
    ),
)


def _width(x, *, interval=2.0, even=False):
    if even:
        return interval * SPAN / BINS
    return interval / BINS * math.log(MU * SPAN + 1) * (MU * x + 1) / MU


def _task(far) -> Task:
    right = {"en_cero": _width(0), "lejos": _width(far), "iguales": _width(0, even=True)}

    def answer(**changes):
        values = right | changes
        return lambda: dict(values)

    one = {"en_cero": _width(0, interval=1), "lejos": _width(far, interval=1)}
    return Task(
        function="bin_widths",
        cases=(Case("los números del enunciado", lambda: ()),),
        reference=answer(),
        tolerance=2e-6,
        differentiable=False,
        reveals=False,
        mistakes=(
            Mistake(
                "pendiente-y-no-anchura",
                "has multiplicado por la pendiente: donde F sube deprisa, las casillas son "
                "estrechas",
                (
                    answer(
                        en_cero=(2 / BINS) ** 2 / right["en_cero"],
                        lejos=(2 / BINS) ** 2 / right["lejos"],
                    ),
                ),
            ),
            Mistake(
                "de-cero-a-uno",
                "F va de −1 a 1: el intervalo que se parte mide 2",
                (answer(**one), answer(**one, iguales=right["iguales"] / 2)),
            ),
            Mistake(
                "la-misma-en-todas",
                "has dado la misma anchura en los dos sitios: solo miden lo mismo después de F",
                (answer(lejos=right["en_cero"]),),
            ),
            Mistake(
                "en-base-diez",
                "has usado el logaritmo en base 10: el de la ley μ es el neperiano",
                (
                    answer(
                        en_cero=right["en_cero"] / math.log(10), lejos=right["lejos"] / math.log(10)
                    ),
                ),
            ),
        ),
    )


def _draw(random: Random) -> Variant:
    """Otro sitio lejos del cero."""
    far = random.choice([x for x in range(2, 200) if x != PUBLISHED])
    changes = ((f"cerca de $x = {PUBLISHED}$", f"cerca de $x = {far}$"),)
    return Variant(Exercise(CARD, _task(far)), changes)


WIDTHS = Exercise(CARD, _task(PUBLISHED), _draw)
