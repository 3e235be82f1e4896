"""Ejercicio para comprender: la atención con lápiz y papel."""

import math
from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

SCORES = (2.0, 0.0, 1.0)
STATES = ((1.0, 0.0), (0.0, 2.0), (-1.0, 4.0))


class _Hand:
    """La cuenta de una frase de tres palabras, con sus pasos a la vista para poder equivocarlos."""

    def __init__(self, scores, states):
        self.scores, self.states = scores, states
        self.alpha = _normalised(self.powers())
        self.total = [sum(state[axis] for state in states) for axis in (0, 1)]
        self.sigmoids = [1 / (1 + math.exp(-score)) for score in scores]
        self.largest = [int(score == max(scores)) for score in scores]

    def weighted(self, weights):
        return [
            sum(w * state[axis] for w, state in zip(weights, self.states, strict=True))
            for axis in (0, 1)
        ]

    def powers(self, base=math.e):
        return [base**score for score in self.scores]

    def answer(self, weights, context=None):
        c = self.weighted(weights) if context is None else list(context)
        return lambda: (list(weights), list(c))


def _normalised(values):
    return [value / sum(values) for value in values]


BY_HAND_CARD = Card(
    id="a-mano",
    title="Atención a mano",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="recorrer sin código el camino de los puntajes a los pesos y al contexto",
    hints=(
        "Primero los pesos: eleva e a cada puntaje y divide entre la suma de los tres.",
        "Comprueba que los tres pesos suman 1. Después multiplica cada estado por su peso y "
        "suma componente a componente.",
        "e² ≈ 7,389, e⁰ = 1, e¹ ≈ 2,718: su suma es 11,107. El primer peso es 7,389 / 11,107.",
    ),
)


def _mistakes(hand: _Hand) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-exponencial",
            "has dividido los puntajes entre su suma: el softmax eleva antes e a cada puntaje",
            (hand.answer(_normalised(hand.scores)),),
        ),
        Mistake(
            "solo-el-mayor",
            "has dado todo el peso al puntaje mayor: el softmax reparte, y también las otras "
            "palabras reciben algo",
            (hand.answer(hand.largest),),
        ),
        Mistake(
            "base-dos",
            "has usado potencias de 2: el softmax usa potencias de e ≈ 2,718",
            (hand.answer(_normalised(hand.powers(2))),),
        ),
        Mistake(
            "sin-normalizar",
            "te falta dividir entre la suma: tus pesos no suman 1",
            (hand.answer(hand.powers()), hand.answer(hand.powers(), hand.weighted(hand.alpha))),
        ),
        Mistake(
            "sigmoide",
            "has aplicado la sigmoide a cada puntaje por separado: así los pesos no suman 1",
            (hand.answer(hand.sigmoids),),
        ),
        Mistake(
            "contexto-sin-pesos",
            "los pesos son correctos, pero has sumado los estados sin multiplicar cada uno por "
            "su peso",
            (hand.answer(hand.alpha, hand.total),),
        ),
        Mistake(
            "contexto-promediado",
            "los pesos son correctos, pero el contexto es la media de los estados por igual: "
            "cada estado va multiplicado por su peso",
            (
                hand.answer(hand.alpha, [total / 3 for total in hand.total]),
                hand.answer(hand.alpha, [total / 3 for total in hand.weighted(hand.alpha)]),
            ),
        ),
    )


def _task(scores, states) -> Task:
    hand = _Hand(scores, states)
    return Task(
        function="by_hand",
        cases=(Case("la frase de tres palabras", lambda: ()),),
        reference=hand.answer(hand.alpha),
        outputs=("alpha", "c"),
        mistakes=_mistakes(hand),
        tolerance=4e-3,  # se admite redondear también los pasos intermedios
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Los mismos puntajes en otro orden, con otros estados de números pequeños."""
    scores = tuple(random.sample(SCORES, 3))
    states = tuple(
        tuple(map(float, pair))
        for pair in random.sample([(a, b) for a in range(-2, 4) for b in range(1, 6)], 3)
    )
    first = ", ".join(f"e{'⁰¹²'[int(score)]}" for score in scores)
    hint = f"Las tres potencias son {first}, con e² ≈ 7,389, e¹ ≈ 2,718 y e⁰ = 1: suman 11,107."
    card = replace(BY_HAND_CARD, hints=(*BY_HAND_CARD.hints[:-1], hint))
    changes = (
        (r"e = (2,\ 0,\ 1)", f"e = ({_tex(scores)})"),
        (r"h_1 = (1,\ 0)", f"h_1 = ({_tex(states[0])})"),
        (r"h_2 = (0,\ 2)", f"h_2 = ({_tex(states[1])})"),
        (r"h_3 = (-1,\ 4)", f"h_3 = ({_tex(states[2])})"),
    )
    return Variant(Exercise(card, _task(scores, states)), changes)


def _tex(numbers) -> str:
    return r",\ ".join(f"{number:.0f}" for number in numbers)


BY_HAND = Exercise(BY_HAND_CARD, _task(SCORES, STATES), _draw)
