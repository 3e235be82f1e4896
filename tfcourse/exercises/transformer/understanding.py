"""Ejercicios para comprender: cuántos parámetros hay en un bloque y qué lee el decodificador."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

D, HIDDEN = 512, 2048


def _parameters(*, attention=4 * D * D + 4 * D, network=2 * D * HIDDEN + HIDDEN + D, norms=4 * D):
    values = {"atencion": attention, "red": network, "normas": norms}
    return lambda: dict(values)


PARAMETERS = Exercise(
    Card(
        id="parametros-del-bloque",
        title="Dónde están los parámetros",
        kind="comprender",
        difficulty=1,
        minutes=10,
        points=1,
        objective="saber en qué pieza de un bloque están la mayoría de los parámetros",
        hints=(
            "Una capa lineal de n a m tiene n · m pesos y m sesgos.",
            "La atención tiene cuatro capas lineales de d a d; la red, una de d a 2048 y otra de "
            "vuelta; el bloque del codificador, dos normalizaciones.",
            "Cada normalización tiene una ganancia y un desplazamiento por dimensión: 2 · d.",
        ),
    ),
    Task(
        function="block_parameters",
        cases=(Case("el bloque del artículo", lambda: ()),),
        reference=_parameters(),
        mistakes=(
            Mistake(
                "sin-sesgos",
                "has contado las matrices y te faltan los sesgos de las capas lineales",
                (
                    _parameters(attention=4 * D * D, network=2 * D * HIDDEN),
                    _parameters(attention=4 * D * D),
                    _parameters(network=2 * D * HIDDEN),
                ),
            ),
            Mistake(
                "sin-salida",
                "la atención tiene cuatro capas lineales: consulta, clave, valor y la de salida",
                (_parameters(attention=3 * D * D + 3 * D),),
            ),
            Mistake(
                "red-de-ida",
                "la red por posición tiene dos capas: sube a la dimensión oculta y vuelve",
                (_parameters(network=D * HIDDEN + HIDDEN),),
            ),
            Mistake(
                "una-norma",
                "el bloque del codificador tiene dos normalizaciones, una por subcapa, y cada una "
                "tiene ganancia y desplazamiento",
                (_parameters(norms=2 * D), _parameters(norms=D)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

# <inicio>, me, gustan, los, árboles, <fin>
FULL = (1, 7, 8, 9, 10, 2)
WORDS = FULL[1:-1]


def _shifted(read, guessed):
    return lambda: (list(read), list(guessed))


SHIFT = Exercise(
    Card(
        id="desplazar-la-salida",
        title="Qué lee y qué adivina",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="poner en fila lo que el decodificador lee y lo que debe adivinar",
        hints=(
            "Las dos listas miden lo mismo: en cada posición se lee un símbolo y se adivina otro.",
            "Lo primero que se lee no puede ser una palabra: aún no se ha escrito ninguna.",
            "Tras leer «<inicio>» hay que adivinar «me»; tras leer la última palabra, «<fin>».",
        ),
    ),
    Task(
        function="teacher_forcing",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_shifted(FULL[:-1], FULL[1:]),
        outputs=("lee", "adivina"),
        mistakes=(
            Mistake(
                "sin-desplazar",
                "lees y adivinas la misma palabra: bastaría con copiarla, y no se aprendería nada",
                tuple(_shifted(same, same) for same in (WORDS, FULL, FULL[1:], FULL[:-1])),
            ),
            Mistake(
                "al-reves",
                "las has cambiado de sitio: se lee desde «<inicio>» y se adivina hasta «<fin>»",
                (_shifted(FULL[1:], FULL[:-1]),),
            ),
            Mistake(
                "sin-fin",
                "falta adivinar «<fin>»: si no lo aprende, el modelo no sabe cuándo parar",
                (_shifted(FULL[:-2], WORDS), _shifted(FULL[:-1], WORDS)),
            ),
            Mistake(
                "sin-inicio",
                "falta leer «<inicio>»: para adivinar la primera palabra hay que haber leído algo",
                (_shifted(WORDS, FULL[2:]), _shifted(WORDS, FULL[1:])),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
