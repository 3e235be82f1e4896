"""Ejercicio para comprender: una sparsemax con lápiz y papel."""

import math
from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, tex_comma

VALUES = (1.2, 0.8, 0.1, -0.5)


class _Hand:
    """La cuenta de cuatro puntajes ordenados, con sus pasos a la vista para poder equivocarlos."""

    def __init__(self, values):
        self.values = values
        powers = [math.exp(value) for value in values]
        self.softmax = [power / sum(powers) for power in powers]
        positive = [max(value, 0.0) for value in values]
        self.shared = [value / sum(positive) for value in positive]
        ranks = range(1, len(values) + 1)
        self.support = max(r for r in ranks if 1 + r * values[r - 1] > sum(values[:r]))
        self.tau = self.threshold(self.support)

    def threshold(self, size):
        """El umbral que saldría si el soporte fueran los `size` primeros."""
        return (sum(self.values[:size]) - 1) / size

    def minus(self, threshold):
        return [value - threshold for value in self.values]

    def clipped(self, threshold):
        return [max(value, 0.0) for value in self.minus(threshold)]

    def answer(self, weights, threshold=None):
        return lambda: (list(weights), self.tau if threshold is None else threshold)


SIMPLEX_CARD = Card(
    id="sparsemax-a-mano",
    title="Una sparsemax a mano",
    kind="comprender",
    difficulty=2,
    minutes=8,
    points=1,
    objective="hallar el soporte y el umbral de una sparsemax sin código",
    hints=(
        "Los puntajes ya están ordenados. Prueba r = 1, 2, 3… y apunta cuándo deja de "
        "cumplirse 1 + r·z_r > z_1 + … + z_r.",
        "Con r = 2: 1 + 2·0,8 = 2,6 y la suma es 2,0: entra. Con r = 3: 1 + 3·0,1 = 1,3 y la "
        "suma es 2,1.",
        "El soporte tiene dos elementos, así que τ = (1,2 + 0,8 − 1) / 2. Réstalo a cada "
        "puntaje y quédate con la parte positiva.",
    ),
)


def _mistakes(hand: _Hand) -> tuple[Mistake, ...]:
    everything, three = hand.threshold(len(hand.values)), hand.threshold(3)
    without_one = hand.tau + 1 / hand.support
    return (
        Mistake(
            "softmax",
            "has calculado un softmax: la sparsemax no usa exponenciales y da ceros exactos",
            (hand.answer(hand.softmax), hand.answer(hand.softmax, 0.0)),
        ),
        Mistake(
            "soporte-entero",
            "has calculado el umbral con los cuatro puntajes: solo cuentan los del soporte",
            (
                hand.answer(hand.clipped(everything), everything),
                hand.answer(hand.minus(everything), everything),
            ),
        ),
        Mistake(
            "soporte-de-tres",
            "has calculado el umbral con tres puntajes, y el tercero ya no entra: con r = 3, "
            "1 + r·z_r no pasa de la suma de los tres",
            (hand.answer(hand.clipped(three), three), hand.answer(hand.minus(three), three)),
        ),
        Mistake(
            "sin-recortar",
            "has restado el umbral sin quedarte con la parte positiva: ningún peso puede ser "
            "negativo",
            (hand.answer(hand.minus(hand.tau)),),
        ),
        Mistake(
            "sin-menos-uno",
            "en el umbral falta el −1: τ = (suma del soporte − 1) / número de elementos; así "
            "los pesos no suman 1",
            (hand.answer(hand.clipped(without_one), without_one),),
        ),
        Mistake(
            "sin-dividir",
            "el umbral se divide entre el número de elementos del soporte, que son dos",
            _without_dividing(hand),
        ),
        Mistake(
            "recortado-y-dividido",
            "has quitado los negativos y dividido entre la suma: eso suma 1, pero no es el "
            "punto más cercano",
            (hand.answer(hand.shared), hand.answer(hand.shared, 0.0)),
        ),
    )


def _without_dividing(hand: _Hand) -> tuple:
    undivided = hand.tau * hand.support
    halves = (
        hand.answer(hand.clipped(undivided)),
        hand.answer(hand.clipped(hand.tau), undivided),
    )
    if math.isclose(undivided, hand.tau + 1 / hand.support):
        return halves  # olvidar el −1 da los mismos números: no se sabe cuál de los dos errores fue
    return (hand.answer(hand.clipped(undivided), undivided), *halves)


def _task(values) -> Task:
    hand = _Hand(values)
    return Task(
        function="sparsemax_by_hand",
        cases=(Case("los cuatro puntajes", lambda: ()),),
        reference=hand.answer(hand.clipped(hand.tau)),
        outputs=("p", "tau"),
        mistakes=_mistakes(hand),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros cuatro puntajes, en décimas, con dos elementos en el soporte."""
    second = random.randint(7, 12)
    # Si los dos primeros sumaran 2, no se sabría si se ha olvidado restar 1 o dividir.
    first = second + random.choice([gap for gap in range(1, 8) if 2 * second + gap != 20])
    # El tercero se queda fuera, y no por poco.
    third = random.randint(1, (first + second - 12) // 2)
    fourth = -random.randint(1, 9)
    values = tuple(tenths / 10 for tenths in (first, second, third, fourth))
    before, after = (f"z = ({_tex(numbers)})" for numbers in (VALUES, values))
    return Variant(Exercise(_card(values), _task(values)), ((before, after),))


def _tex(values) -> str:
    return r";\ ".join(map(tex_comma, values))


def _card(values) -> Card:
    z_1, z_2, z_3 = map(_tenth, values[:3])
    left = [_tenth(1 + r * values[r - 1]) for r in (2, 3)]
    total = [_tenth(sum(values[:r])) for r in (2, 3)]
    hints = (
        SIMPLEX_CARD.hints[0],
        f"Con r = 2: 1 + 2·{z_2} = {left[0]} y la suma es {total[0]}: entra. "
        f"Con r = 3: 1 + 3·{z_3} = {left[1]} y la suma es {total[1]}.",
        SIMPLEX_CARD.hints[2].replace("(1,2 + 0,8 − 1)", f"({z_1} + {z_2} − 1)"),
    )
    return replace(SIMPLEX_CARD, hints=hints)


def _tenth(number: float) -> str:
    return comma(number, decimals=1)


SIMPLEX = Exercise(SIMPLEX_CARD, _task(VALUES), _draw)
