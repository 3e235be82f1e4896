"""Ejercicios para comprender: cuánto pesa cada celda y cuánto dura una memoria."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

D_INPUT, D_HIDDEN = 10, 20
BLOCKS = {"simple": 1, "gru": 3, "lstm": 4}


def _counts(block, blocks=BLOCKS):
    return lambda: {name: g * block for name, g in blocks.items()}


_MATRICES = D_HIDDEN * (D_INPUT + D_HIDDEN)

PARAMETERS = Exercise(
    Card(
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
    ),
    Task(
        function="count_parameters",
        cases=(Case("las tres celdas", lambda: ()),),
        reference=_counts(_MATRICES + 2 * D_HIDDEN),
        mistakes=(
            Mistake(
                "un-solo-sesgo",
                "has contado un vector de sesgos por bloque y PyTorch suma dos: el de la entrada y "
                "el del estado",
                (_counts(_MATRICES + D_HIDDEN),),
            ),
            Mistake(
                "sin-sesgos",
                "has contado solo las matrices: faltan los sesgos",
                (_counts(_MATRICES),),
            ),
            Mistake(
                "sin-recurrencia",
                "falta la matriz del estado, de H · H números: es la que hace recurrente a la red",
                (
                    _counts(D_INPUT * D_HIDDEN + 2 * D_HIDDEN),
                    _counts(D_INPUT * D_HIDDEN + D_HIDDEN),
                    _counts(D_INPUT * D_HIDDEN),
                ),
            ),
            Mistake(
                "sin-candidata",
                "has contado solo las compuertas: la candidata (la tangente) es otro bloque, con "
                "sus propias matrices",
                (
                    _counts(_MATRICES + 2 * D_HIDDEN, {"simple": 1, "gru": 2, "lstm": 3}),
                    _counts(_MATRICES + D_HIDDEN, {"simple": 1, "gru": 2, "lstm": 3}),
                ),
            ),
            Mistake(
                "gru-y-lstm-intercambiadas",
                "has intercambiado las dos: la GRU tiene dos compuertas, y la LSTM, tres",
                (_counts(_MATRICES + 2 * D_HIDDEN, {"simple": 1, "gru": 4, "lstm": 3}),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

OPENING, STEPS, HALF_AT = 0.9, 20, 100


def _memory(left=None, opening=None, bias=None):
    kept = 0.5 ** (1 / HALF_AT)
    answer = {"queda": OPENING**STEPS, "apertura": kept, "sesgo": math.log(kept / (1 - kept))}
    changed = {"queda": left, "apertura": opening, "sesgo": bias}
    return lambda: answer | {name: value for name, value in changed.items() if value is not None}


_KEPT = 0.5 ** (1 / HALF_AT)

HALF_LIFE = Exercise(
    Card(
        id="vida-media",
        title="¿Cuánto dura una memoria?",
        kind="comprender",
        difficulty=2,
        minutes=10,
        points=2,
        objective="relacionar la compuerta de olvido, su sesgo y lo que dura lo que guarda",
        hints=(
            "En cada paso la memoria se multiplica por la apertura de la compuerta. ¿Qué operación "
            "es multiplicar veinte veces por lo mismo?",
            "Para la segunda, busca el número F con F¹⁰⁰ = 0,5. Para la tercera, despeja b en "
            "σ(b) = F.",
            "σ(b) = 1 / (1 + e⁻ᵇ), así que b = ln(F / (1 − F)). No redondees F antes de usarlo.",
        ),
    ),
    Task(
        function="memory_numbers",
        cases=(Case("una casilla de la memoria", lambda: ()),),
        reference=_memory(),
        mistakes=(
            Mistake(
                "olvido-lineal",
                "has restado o multiplicado en lugar de elevar: cada paso multiplica por 0,9 lo "
                "que quedaba, así que veinte pasos son 0,9 elevado a 20",
                (_memory(left=OPENING * STEPS), _memory(left=1 - (1 - OPENING) * STEPS)),
            ),
            Mistake(
                "lo-olvidado",
                "en «queda» has puesto la parte olvidada, y se pide la que se conserva",
                (_memory(left=1 - OPENING**STEPS),),
            ),
            Mistake(
                "mitad-repartida",
                "para «apertura» has repartido la pérdida a partes iguales entre los cien pasos: "
                "la memoria se multiplica, así que busca el número que elevado a 100 da 0,5",
                (_memory(opening=1 - 0.5 / HALF_AT), _memory(opening=1 - 1 / HALF_AT)),
            ),
            Mistake(
                "sesgo-es-la-apertura",
                "el sesgo no es la apertura: es lo que hay dentro de la sigmoide, σ(b) = F",
                (_memory(bias=_KEPT),),
            ),
            Mistake(
                "sesgo-con-la-sigmoide",
                "para «sesgo» has aplicado la sigmoide a la apertura, y hay que deshacerla: se "
                "busca el b con σ(b) = F",
                (_memory(bias=1 / (1 + math.exp(-_KEPT))),),
            ),
            Mistake(
                "sesgo-con-logaritmo",
                "para «sesgo» has tomado el logaritmo de F: la inversa de la sigmoide es "
                "ln(F / (1 − F))",
                (_memory(bias=math.log(_KEPT)), _memory(bias=-math.log(_KEPT))),
            ),
            Mistake(
                "sesgo-con-el-signo-cambiado",
                "el sesgo tiene el signo cambiado: para conservar, la compuerta debe pasar de 0,5, "
                "y eso pide un sesgo positivo",
                (_memory(bias=math.log((1 - _KEPT) / _KEPT)),),
            ),
        ),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    ),
)
