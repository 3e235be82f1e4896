"""Ejercicio para comprender: cuánto encoge la varianza una capa recién nacida."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

VARIANCE, LAYERS = 2, 3

CARD = Card(
    id="un-sexto",
    title="Por qué la profunda nace con los puntajes juntos",
    kind="comprender",
    difficulty=3,
    minutes=15,
    points=2,
    objective="deducir cuánto encoge la señal en cada capa antes de aprender nada",
    hints=(
        "La varianza de una uniforme entre −a y a es a²/3. ¿Cuánto vale con a = 1/√d?",
        "Una salida de la capa es la suma de d productos independientes, y la varianza de cada "
        "uno es la del peso por la de la entrada. La d se va.",
        "La salida de la capa es simétrica: la ReLU se queda con la mitad de los casos, así que "
        "la media de su cuadrado es la mitad. Cada lineal multiplica por 1/3 y cada ReLU por 1/2.",
    ),
)


def _answer(variance, layers, linear=1 / 3, relu=1 / 2, relus=None):
    """Las tres respuestas, con alguna pieza cambiada: así se fabrican los errores típicos."""
    relus = layers - 1 if relus is None else relus
    values = {
        "lineal": variance * linear,
        "relu": variance * linear * relu,
        "salida": variance * linear**layers * relu**relus,
    }
    return lambda: dict(values)


def _task(variance: int, layers: int) -> Task:
    def answer(**changes):
        return _answer(variance, layers, **changes)

    return Task(
        function="variances",
        cases=(Case("las tres cuentas", lambda: ()),),
        reference=answer(),
        mistakes=(
            Mistake(
                "uniforme-sin-tercio",
                "la varianza de una uniforme entre −a y a es a²/3, y has usado a²",
                (answer(linear=1.0),),
            ),
            Mistake(
                "uniforme-de-cero-a-uno",
                "has usado la varianza de una uniforme de anchura a, que es a²/12: la de estos "
                "pesos va de −a a a y es a²/3",
                (answer(linear=1 / 12),),
            ),
            Mistake(
                "sin-relu",
                "la ReLU quita la mitad de los casos: la media del cuadrado se queda en la mitad",
                (answer(relu=1.0),),
            ),
            Mistake(
                "relu-de-mas",
                "has puesto una ReLU después de la última lineal, y ahí no hay ninguna",
                (answer(relus=layers),),
            ),
            Mistake(
                "relu-un-cuarto",
                "has dividido entre 4 en la ReLU: la mitad de los casos se queda igual y la otra "
                "mitad vale 0, así que se divide entre 2",
                (answer(relu=1 / 4),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra varianza de entrada y otro número de capas."""
    # Con menos varianza, una ReLU de más no se notaría en la tercera cifra.
    variance, layers = random.randint(4, 90), random.choice((2, 4))
    names = {2: "dos", 3: "tres", 4: "cuatro"}
    return Variant(
        Exercise(CARD, _task(variance, layers)),
        (
            (f"varianza {VARIANCE}", f"varianza {variance}"),
            (f"{names[LAYERS]} capas lineales", f"{names[layers]} capas lineales"),
        ),
    )


SIXTH = Exercise(CARD, _task(VARIANCE, LAYERS), _draw)
