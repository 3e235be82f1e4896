"""Ejercicio para comprender: tres pasos de una red recurrente con lápiz y papel."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, tex_comma


@dataclass(frozen=True)
class _Network:
    """Una red con un estado de un solo número, lo que lee y sus cuentas, bien o mal hechas."""

    w_x: float = 1
    w_h: float = -1
    w_out: int = 2
    b_out: int = 1
    read: tuple[int, ...] = (1, 1, 0)

    def trace(self, squash=math.tanh):
        states, h = [], 0.0
        for x in self.read:
            h = squash(x * self.w_x + h * self.w_h)
            states.append(h)
        return states

    def output(self, value):
        return self.w_out * value + self.b_out

    def answer(self, states, output=None):
        return lambda: (states, self.output(states[-1]) if output is None else output)


BY_HAND_CARD = Card(
    id="estados-a-mano",
    title="Tres pasos a mano",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="recorrer la recurrencia con una calculadora, del primer estado a la salida",
    hints=(
        "Cada estado se calcula con la entrada de su paso y con el estado anterior; antes del "
        "primero, el estado vale 0.",
        "El segundo estado es tanh(1 · 1 + h₁ · (−1)). ¿Qué signo tendrá el tercero?",
        "h₁ = tanh(1) ≈ 0,762. La salida se calcula con el último estado, sin tangente.",
    ),
)


def _mistakes(network: _Network) -> tuple[Mistake, ...]:
    right = network.trace()
    without_memory, adding = (replace(network, w_h=w_h) for w_h in (0, -network.w_h))
    return (
        Mistake(
            "sin-tanh",
            "te falta la tangente hiperbólica: los estados están siempre entre −1 y 1",
            (network.answer(network.trace(squash=lambda z: z)),),
        ),
        Mistake(
            "sin-memoria",
            "no has usado el estado anterior: cada paso depende también de él, a través de w_h",
            (network.answer(without_memory.trace()),),
        ),
        Mistake(
            "signo",
            f"has sumado el estado anterior, y w_h vale {comma(network.w_h)}: hay que restarlo",
            (network.answer(adding.trace()),),
        ),
        Mistake(
            "salida-de-la-entrada",
            "los estados son correctos, pero has calculado la salida con x₃: se calcula con el "
            "estado, que es donde está la memoria",
            (network.answer(right, network.output(network.read[-1])),),
        ),
        Mistake(
            "salida-sin-sesgo",
            "los estados son correctos, pero a la salida le falta su sesgo, b_out",
            (network.answer(right, network.output(right[-1]) - network.b_out),),
        ),
        Mistake(
            "salida-con-tanh",
            "los estados son correctos, pero la salida no lleva tangente hiperbólica",
            (network.answer(right, math.tanh(network.output(right[-1]))),),
        ),
    )


def _task(network: _Network) -> Task:
    return Task(
        function="by_hand",
        cases=(Case(f"la secuencia {', '.join(map(comma, network.read))}", lambda: ()),),
        reference=network.answer(network.trace()),
        outputs=("h", "o"),
        mistakes=_mistakes(network),
        tolerance=4e-3,  # se admite redondear también los pasos intermedios
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros pesos y otras dos entradas; la tercera sigue siendo 0, y w_h, negativo."""
    while True:
        network = _Network(
            w_x=random.choice((1, -1, 0.5)),
            w_h=random.choice((-1, -2, -0.5)),
            w_out=random.choice((3, 4, -2, -3)),
            b_out=random.choice((1, 2, -1, -2)),
            read=(random.choice((1, -1, 2)), random.choice((1, -1, 2, -2)), 0),
        )
        if _is_sound(network):
            return Variant(Exercise(_card(network), _task(network)), _changes(network))


def _is_sound(network: _Network) -> bool:
    """Que ningún estado sature, que se pueda redondear en cada paso y que los errores se distingan.

    En cada pareja de respuestas, correctas o no, algún número debe ser claramente distinto.
    """
    task = _task(network)
    rounded = network.trace(squash=lambda z: round(math.tanh(z), 3))
    functions = [task.reference, *(mistake.variants[0] for mistake in task.mistakes)]
    answers = [[*states, output] for states, output in (answer() for answer in functions)]
    gaps = [_gap(one, other) for place, one in enumerate(answers) for other in answers[:place]]
    return (
        all(0.1 < abs(h) < 0.98 for h in network.trace())
        and _gap(answers[0], [*rounded, network.output(rounded[-1])]) < task.tolerance / 2
        and min(gaps) > 5 * task.tolerance
    )


def _gap(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _card(network: _Network) -> Card:
    one, two, _ = network.read
    hints = (
        BY_HAND_CARD.hints[0],
        f"El segundo estado es tanh({_factor(two)} · {_factor(network.w_x)} + "
        f"h₁ · {_factor(network.w_h)}). ¿Qué signo tendrá el tercero?",
        f"h₁ = tanh({comma(one * network.w_x)}) ≈ {comma(network.trace()[0], 3)}. La salida se "
        "calcula con el último estado, sin tangente.",
    )
    return replace(BY_HAND_CARD, hints=hints)


def _factor(number: float) -> str:
    return comma(number) if number >= 0 else f"({comma(number)})"


def _changes(network: _Network) -> tuple[tuple[str, str], ...]:
    """Al leer ceros, la salida es el sesgo: por eso cambia también el ejemplo."""
    return (
        ("$w_x = 1$", f"$w_x = {tex_comma(network.w_x)}$"),
        ("$w_h = -1$", f"$w_h = {tex_comma(network.w_h)}$"),
        ("$w_{out} = 2$", f"$w_{{out}} = {network.w_out}$"),
        ("$b_{out} = 1$", f"$b_{{out}} = {network.b_out}$"),
        (r"$x = (1,\ 1,\ 0)$", rf"$x = ({network.read[0]},\ {network.read[1]},\ 0)$"),
        ("`[0, 0, 0], 1`", f"`[0, 0, 0], {network.b_out}`"),
    )


BY_HAND = Exercise(BY_HAND_CARD, _task(_Network()), _draw)
