"""Ejercicios para comprender: qué le pasa a cada token y cuánto ahorra ALBERT."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

N_WINDOWS, LENGTH, N_SPECIAL = 100, 64, 4
RATE, MASKED, RANDOM = 0.15, 0.8, 0.1
ALL_TOKENS = N_WINDOWS * LENGTH
MASKABLE = N_WINDOWS * (LENGTH - N_SPECIAL)


def _counts(tokens=MASKABLE, *, masked=None, random=None, same=None, loss=None):
    chosen = tokens * RATE
    values = {
        "mascara": chosen * MASKED if masked is None else masked,
        "azar": chosen * RANDOM if random is None else random,
        "iguales": chosen * (1 - MASKED - RANDOM) if same is None else same,
        "en_la_perdida": chosen if loss is None else loss,
    }
    return lambda: {name: round(value) for name, value in values.items()}


_CHOSEN = MASKABLE * RATE

COUNTS = Exercise(
    Card(
        id="que-le-pasa-a-cada-token",
        title="¿Qué le pasa a cada token?",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="seguir un token por la receta 80/10/10",
        hints=(
            "Empieza por cuántos se pueden elegir: los especiales no cuentan.",
            "Los tres porcentajes (80, 10 y 10) son partes de los elegidos, no de todos.",
            "La pérdida se calcula en todas las posiciones elegidas, también en las que no se han "
            "tapado.",
        ),
    ),
    Task(
        function="token_fates",
        cases=(Case("el lote del enunciado", lambda: ()),),
        reference=_counts(),
        mistakes=(
            Mistake(
                "con-especiales",
                "has contado también los tokens especiales: [CLS] y [SEP] no se eligen nunca",
                (_counts(ALL_TOKENS),),
            ),
            Mistake(
                "porcentajes-de-todos",
                "has aplicado el 80, el 10 y el 10 % a todos los tokens: son partes del 15 % que "
                "se elige",
                (
                    _counts(masked=MASKABLE * MASKED, random=MASKABLE * RANDOM,
                            same=MASKABLE * RANDOM),
                    _counts(masked=MASKABLE * MASKED, random=MASKABLE * RANDOM,
                            same=MASKABLE * RANDOM, loss=MASKABLE),
                ),
            ),
            Mistake(
                "perdida-solo-en-mascaras",
                "en la pérdida has contado solo los que llevan [MASK]: también se pregunta por los "
                "cambiados al azar y por los que se han dejado igual",
                (_counts(loss=_CHOSEN * MASKED), _counts(loss=_CHOSEN * (MASKED + RANDOM))),
            ),
            Mistake(
                "perdida-en-todos",
                "en la pérdida has contado todos los tokens: solo se pregunta por los elegidos",
                (_counts(loss=MASKABLE), _counts(loss=ALL_TOKENS)),
            ),
            Mistake(
                "iguales-todos",
                "en `iguales` has contado los que nadie eligió: se pide cuántos de los elegidos se "
                "quedan como estaban",
                (
                    _counts(same=MASKABLE - _CHOSEN * (MASKED + RANDOM)),
                    _counts(same=MASKABLE - _CHOSEN),
                ),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)  # fmt: skip

V, H, E, N_LAYERS = 30_000, 1024, 128, 24


def _weights(*, table=V * H, factored=V * E + E * H, block=12 * H * H, shared=1):
    values = {
        "tabla_bert": table,
        "tabla_albert": factored,
        "bloques_bert": N_LAYERS * block,
        "bloques_albert": shared * block,
    }
    return lambda: dict(values)


WEIGHTS = Exercise(
    Card(
        id="cuanto-ahorra-albert",
        title="¿De dónde ahorra ALBERT?",
        kind="comprender",
        difficulty=2,
        minutes=10,
        points=1,
        objective="contar los pesos de una configuración sin crear el modelo",
        hints=(
            "Un bloque tiene cuatro matrices de H × H en la atención y dos de H × 4H en la red.",
            "Con embeddings de anchura E hacen falta dos matrices: la tabla, de V × E, y la que "
            "lleva de E a H.",
            "Compartir las capas no cambia cuántas veces se pasa por el bloque, pero sí cuántas "
            "veces se guarda.",
        ),
    ),
    Task(
        function="albert_savings",
        cases=(Case("las medidas del enunciado", lambda: ()),),
        reference=_weights(),
        mistakes=(
            Mistake(
                "sin-ensanchar",
                "en la tabla de ALBERT falta la matriz que lleva de E a H: sin ella los vectores "
                "no caben en los bloques",
                (_weights(factored=V * E),),
            ),
            Mistake(
                "solo-ensanchar",
                "en la tabla de ALBERT falta la propia tabla, de V × E",
                (_weights(factored=E * H),),
            ),
            Mistake(
                "capas-sin-compartir",
                "has guardado 24 veces el bloque de ALBERT: es el mismo, y se guarda una vez",
                (_weights(shared=N_LAYERS),),
            ),
            Mistake(
                "sin-atencion",
                "en cada bloque has contado solo la red por posición: faltan las cuatro matrices "
                "de la atención",
                (_weights(block=8 * H * H),),
            ),
            Mistake(
                "sin-salida",
                "en la atención has contado tres matrices (Q, K y V): falta la de salida",
                (_weights(block=11 * H * H),),
            ),
            Mistake(
                "sin-red",
                "en cada bloque has contado solo la atención: faltan las dos matrices de la red "
                "por posición",
                (_weights(block=4 * H * H), _weights(block=3 * H * H)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
