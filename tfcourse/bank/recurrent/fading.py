"""Ejercicio para comprender: cuánto dura un rastro, antes de ejecutar nada."""

import math
from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

WEIGHTS, PART = {"A": 0.5, "B": 0.8, "C": 0.9}, 1000

CARD = Card(
    id="cuanto-dura-el-rastro",
    title="¿Cuánto dura el rastro?",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=2,
    objective="predecir cuántos pasos recuerda una red sin llegar a ejecutarla",
    hints=(
        "Con un estado tan pequeño, la tangente hiperbólica no hace nada: tanh(z) ≈ z. ¿Por cuánto "
        "se multiplica el estado en cada paso?",
        "Tras k pasos queda la potencia k del peso. Hay que hallar el primer k con el que baja de "
        "la fracción pedida: se despeja con logaritmos.",
        "k es el logaritmo de la fracción entre el logaritmo del peso, y el resultado se redondea "
        "hacia **arriba**: con un paso menos todavía no ha bajado.",
    ),
)


def _steps(formula, weights):
    value = {name: math.ceil(formula(weight)) for name, weight in weights.items()}
    return lambda: dict(value)


def _task(weights: dict[str, float], part: int) -> Task:
    def needed(weight):
        return math.log(part) / -math.log(weight)

    slowest = max(weights.values())
    mistakes = (
        Mistake(
            "hacia-abajo",
            "te falta un paso en cada una: con esos pasos todavía no ha bajado de la fracción",
            (_steps(lambda weight: needed(weight) - 1, weights),),
        ),
        Mistake(
            "resta-lo-mismo",
            "has supuesto que en cada paso se pierde lo mismo que en el primero: se pierde la "
            "misma **parte** de lo que queda",
            (_steps(lambda weight: (1 - 1 / part) / (1 - weight), weights),),
        ),
        Mistake(
            "al-cuadrado",
            "has multiplicado dos veces por el peso en cada paso: el estado se multiplica una vez",
            (_steps(lambda weight: needed(weight) / 2, weights),),
        ),
        Mistake(
            "la-mitad",
            "has contado los pasos hasta que queda la mitad, y la fracción que se pide es menor",
            (_steps(lambda weight: math.log(2) / -math.log(weight), weights),),
        ),
        Mistake(
            "igual-en-todas",
            "has dado los mismos pasos a las tres: cuanto menor es el peso, antes se apaga",
            (_steps(lambda weight: needed(slowest), weights),),
        ),
    )
    return Task(
        function="steps_until_faded",
        cases=(Case("tres redes", lambda: ()),),
        reference=_steps(needed, weights),
        mistakes=mistakes,
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tres pesos, de menor a mayor, y otra fracción."""
    drawn = [
        random.choice(group)
        for group in (
            (0.35, 0.4, 0.45, 0.55, 0.6), (0.68, 0.7, 0.75, 0.82, 0.85),
            (0.88, 0.92, 0.94, 0.95, 0.96),
        )
    ]  # fmt: skip
    weights = dict(zip("ABC", drawn, strict=True))
    part = random.choice((200, 300, 500, 2000, 3000, 5000))
    changes = [(f"1/{PART}", f"1/{part}")] + [
        (f"| {name} | {_comma(WEIGHTS[name])} |", f"| {name} | {_comma(weight)} |")
        for name, weight in weights.items()
    ]
    return Variant(Exercise(replace(CARD), _task(weights, part)), tuple(changes))


def _comma(number: float) -> str:
    return f"{number:g}".replace(".", ",")


FADING = Exercise(CARD, _task(WEIGHTS, PART), _draw)
