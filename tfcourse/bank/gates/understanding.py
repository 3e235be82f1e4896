"""Ejercicio para comprender: cuánto pesa cada celda."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

D_INPUT, D_HIDDEN = 10, 20
BLOCKS = {"simple": 1, "gru": 3, "lstm": 4}
ONLY_GATES = {"simple": 1, "gru": 2, "lstm": 3}
SWAPPED = {"simple": 1, "gru": 4, "lstm": 3}


def _counts(block, blocks=BLOCKS):
    return lambda: {name: g * block for name, g in blocks.items()}


PARAMETERS_CARD = Card(
    id="parametros-recurrentes",
    title="¿Cuánto pesa cada celda?",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="contar los parámetros de una celda a partir de sus ecuaciones",
    hints=(
        "Cuenta primero un bloque: una matriz para la entrada, otra para el estado y, en "
        "PyTorch, dos vectores de sesgos.",
        "La matriz de la entrada tiene D · H números; la del estado, H · H; cada vector de "
        "sesgos, H.",
        "La red simple tiene un bloque. En la GRU hay uno por cada ecuación con una sigmoide o "
        "una tangente que lee x; en la LSTM, igual: ¿cuántos son?",
    ),
)


def _mistakes(d_input: int, d_hidden: int) -> tuple[Mistake, ...]:
    reading, matrices = d_input * d_hidden, d_hidden * (d_input + d_hidden)
    return (
        Mistake(
            "un-solo-sesgo",
            "has contado un vector de sesgos por bloque y PyTorch suma dos: el de la entrada y "
            "el del estado",
            (_counts(matrices + d_hidden),),
        ),
        Mistake(
            "sin-sesgos",
            "has contado solo las matrices: faltan los sesgos",
            (_counts(matrices),),
        ),
        Mistake(
            "sin-recurrencia",
            "falta la matriz del estado, de H · H números: es la que hace recurrente a la red",
            (
                _counts(reading + 2 * d_hidden),
                _counts(reading + d_hidden),
                _counts(reading),
            ),
        ),
        Mistake(
            "sin-candidata",
            "has contado solo las compuertas: la candidata (la tangente) es otro bloque, con "
            "sus propias matrices",
            (
                _counts(matrices + 2 * d_hidden, ONLY_GATES),
                _counts(matrices + d_hidden, ONLY_GATES),
            ),
        ),
        Mistake(
            "gru-y-lstm-intercambiadas",
            "has intercambiado las dos: la GRU tiene dos compuertas, y la LSTM, tres",
            (_counts(matrices + 2 * d_hidden, SWAPPED),),
        ),
    )


def _task(d_input: int, d_hidden: int) -> Task:
    return Task(
        function="count_parameters",
        cases=(Case("las tres celdas", lambda: ()),),
        reference=_counts(d_hidden * (d_input + d_hidden) + 2 * d_hidden),
        mistakes=_mistakes(d_input, d_hidden),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tamaños; las pistas no los dicen."""
    # Ninguno igual al otro: si lo fueran, confundir las dos matrices no se notaría.
    d_input = random.choice([d for d in range(4, 50) if d % 10])
    d_hidden = random.choice((10, 20, 30, 40, 50, 60))
    changes = (("$D = 10$", f"$D = {d_input}$"), ("$H = 20$", f"$H = {d_hidden}$"))
    return Variant(Exercise(PARAMETERS_CARD, _task(d_input, d_hidden)), changes)


PARAMETERS = Exercise(PARAMETERS_CARD, _task(D_INPUT, D_HIDDEN), _draw)
