"""Ejercicios para comprender: tamaños de una capa multicabeza y qué deja ver una máscara."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# Lote, longitud, ancho y cabezas de la capa por la que se pregunta.
BATCH, LENGTH, WIDTH, HEADS = 2, 100, 512, 8


def _counts(*, head_size=WIDTH // HEADS, parameters=4 * WIDTH**2, weights=None):
    every_pair = BATCH * HEADS * LENGTH**2
    values = {
        "dimension_de_cabeza": head_size,
        "parametros": parameters,
        "pesos_de_atencion": every_pair if weights is None else weights,
    }
    return lambda: dict(values)


COUNTS = Exercise(
    Card(
        id="tamanos-multicabeza",
        title="Una capa, en números",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="saber qué crece con las cabezas, qué con el ancho y qué con la longitud",
        hints=(
            "Las cabezas se reparten las 512 dimensiones: ¿cuántas tocan a cada una?",
            "Hay cuatro matrices (consulta, clave, valor y salida), y cada una mide d × d sea cual "
            "sea el número de cabezas.",
            "Hay un peso por cada pareja consulta–clave, en cada cabeza y en cada frase del lote.",
        ),
    ),
    Task(
        function="layer_counts",
        cases=(Case("la capa del enunciado", lambda: ()),),
        reference=_counts(),
        mistakes=(
            Mistake(
                "parametros-por-cabeza",
                "has multiplicado los parámetros por el número de cabezas: cada cabeza proyecta a "
                "d / H dimensiones, así que entre todas suman las mismas d × d de siempre",
                (
                    _counts(parameters=4 * WIDTH**2 * HEADS),
                    _counts(parameters=3 * WIDTH**2 * HEADS + WIDTH**2),
                ),
            ),
            Mistake(
                "sin-salida",
                "has contado tres matrices y hay cuatro: falta la de salida, que mezcla lo que "
                "trae cada cabeza",
                (_counts(parameters=3 * WIDTH**2),),
            ),
            Mistake(
                "cabeza-entera",
                "cada cabeza no trabaja con las d dimensiones: se las reparten entre todas",
                (_counts(head_size=WIDTH),),
            ),
            Mistake(
                "pesos-sin-cabezas",
                "te faltan las cabezas en los pesos: cada una tiene su propia matriz",
                (_counts(weights=BATCH * LENGTH**2), _counts(weights=LENGTH**2)),
            ),
            Mistake(
                "pesos-sin-lote",
                "te falta el lote en los pesos: cada frase tiene los suyos",
                (_counts(weights=HEADS * LENGTH**2),),
            ),
            Mistake(
                "pesos-lineales",
                "has contado un peso por posición, y hay uno por cada pareja de posiciones: crecen "
                "con el cuadrado de la longitud",
                (_counts(weights=BATCH * HEADS * LENGTH), _counts(weights=HEADS * LENGTH)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

POSITIONS, REAL = range(1, 6), 4  # cinco posiciones, la última de relleno


def _seen(can_look):
    return lambda: [[key for key in POSITIONS if can_look(query, key)] for query in POSITIONS]


VISIBLE = Exercise(
    Card(
        id="quien-mira-a-quien",
        title="¿Quién mira a quién?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="combinar a mano una máscara causal y una de relleno",
        hints=(
            "Una máscara causal deja mirar a la propia posición y a las anteriores.",
            "La de relleno quita columnas (claves), no filas: nadie mira al quinto token, pero el "
            "quinto token también es una consulta y tiene su fila.",
            "La tercera posición mira a [1, 2, 3]. ¿Y la quinta, si no puede mirarse a sí misma?",
        ),
    ),
    Task(
        function="visible_keys",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_seen(lambda query, key: key <= query and key <= REAL),
        mistakes=(
            Mistake(
                "sin-relleno",
                "has puesto solo la máscara causal: la quinta posición es relleno y nadie debe "
                "mirarla, ni ella misma",
                (_seen(lambda query, key: key <= query),),
            ),
            Mistake(
                "sin-causal",
                "has puesto solo la máscara de relleno: cada posición mira también a las que "
                "vienen después",
                (_seen(lambda query, key: key <= REAL),),
            ),
            Mistake(
                "no-se-mira",
                "has dejado fuera la diagonal: cada posición también puede mirarse a sí misma",
                (
                    _seen(lambda query, key: key < query and key <= REAL),
                    _seen(lambda query, key: key < query),
                ),
            ),
            Mistake(
                "mira-al-futuro",
                "la has puesto al revés: cada posición mira a las que vienen después, y son las "
                "anteriores las que ya se conocen",
                (
                    _seen(lambda query, key: key >= query and key <= REAL),
                    _seen(lambda query, key: key >= query),
                    _seen(lambda query, key: key > query),
                ),
            ),
            Mistake(
                "fila-borrada",
                "has vaciado la fila del relleno, pero la máscara tapa claves, no consultas: el "
                "quinto token pregunta como los demás, aunque su respuesta no se use",
                (_seen(lambda query, key: key <= query and query <= REAL),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
