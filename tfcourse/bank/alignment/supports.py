"""Ejercicio para comprender: predecir cuántos ceros da una sparsemax según la escala."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import tex_comma

VALUES = (1.5, 1.2, 0.3, -1.0)
NAMES = ("entre_4", "tal_cual", "por_4")
FACTORS = (0.25, 1.0, 4.0)

CARD = Card(
    id="soporte-segun-la-escala",
    title="Predice antes de ejecutar: los ceros y la escala",
    kind="comprender",
    difficulty=2,
    minutes=8,
    points=1,
    objective="predecir qué hace la escala de los puntajes con los ceros de una sparsemax",
    hints=(
        "Solo importan las diferencias entre puntajes. ¿Qué reparto saldría si los cuatro fueran "
        "casi iguales? ¿Y si el primero estuviera lejísimos?",
        "Con dos puntajes, el segundo recibe algo si está a menos de 1 del primero. Multiplicar "
        "por 4 multiplica por 4 las diferencias.",
        "La posición r entra si 1 + r·z_r es mayor que la suma de las r primeras. Haz esa cuenta "
        "con z/4, con z y con 4z.",
    ),
)


def _support(values) -> int:
    ranks = range(1, len(values) + 1)
    return max(r for r in ranks if 1 + r * values[r - 1] > sum(values[:r]))


def _counts(values) -> tuple[int, ...]:
    return tuple(_support([factor * value for value in values]) for factor in FACTORS)


def _within_one(values) -> tuple[int, ...]:
    """El error de creer que vive todo lo que está a menos de 1 del primero."""
    return tuple(sum(f * (values[0] - value) < 1 for value in values) for f in FACTORS)


def _task(values) -> Task:
    def answer(counts):
        return lambda: dict(zip(NAMES, counts, strict=True))

    counts = _counts(values)
    return Task(
        function="supports",
        cases=(Case("las tres escalas", lambda: ()),),
        reference=answer(counts),
        mistakes=(
            Mistake(
                "al-reves",
                "es al revés: cuanto más separados los puntajes, menos posiciones reciben algo",
                (answer(counts[::-1]),),
            ),
            Mistake(
                "la-escala-no-importa",
                "has dado el mismo número a las tres escalas: sumar lo mismo a todos los puntajes "
                "no cambia el reparto, pero multiplicarlos sí",
                tuple(answer((number,) * 3) for number in set(counts) - {4}),
            ),
            Mistake(
                "ninguna-es-cero",
                "ese es el softmax, que nunca da ceros",
                (answer((4, 4, 4)),),
            ),
            Mistake(
                "distancia-al-primero",
                "has contado las que están a menos de 1 de la primera: eso vale con dos puntajes; "
                "con más, el umbral depende de la suma de los que ya han entrado",
                (answer(_within_one(values)),) if _within_one(values) != counts else (),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _tex(values) -> str:
    return r";\ ".join(map(tex_comma, values))


def _clear(values) -> bool:
    """La escala cambia la cuenta, no sale lo publicado y nada se decide por una centésima."""
    for factor in FACTORS:
        scaled = [factor * value for value in values]
        for r in range(2, 5):
            if abs(1 + r * scaled[r - 1] - sum(scaled[:r])) < 0.05:
                return False
    counts = _counts(values)
    return counts[0] > counts[2] and counts != _counts(VALUES)


def _draw(random: Random) -> Variant:
    """Otros cuatro puntajes, de mayor a menor, en décimas."""
    while True:
        tenths = sorted(random.sample(range(-25, 21), 4), reverse=True)
        values = tuple(number / 10 for number in tenths)
        if _clear(values):
            change = (f"z = ({_tex(VALUES)})", f"z = ({_tex(values)})")
            return Variant(Exercise(CARD, _task(values)), (change,))


SUPPORTS = Exercise(CARD, _task(VALUES), _draw)
