"""Ejercicios para comprender: cuánto ahorran los dos caminos y quién es cada salida."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(**values):
    return lambda: dict(values)


def _paths(trozos=61, dentro=24_400, entre=74_420, entera=360_000):
    return _answer(trozos=trozos, dentro=dentro, entre=entre, entera=entera)


PATHS = Exercise(
    Card(
        id="trozos-y-parejas",
        title="Trozos y parejas",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="contar las parejas que compara la atención por dos caminos",
        hints=(
            "Con medio trozo de ceros por cada lado, la secuencia mide L + C, y cada trozo "
            "empieza C/2 después del anterior.",
            "Dentro: en cada trozo hay C · C parejas. Entre: por cada uno de los C lugares, N · N.",
            "Por los dos caminos se comparan menos parejas que con la secuencia entera, L · L.",
        ),
    ),
    Task(
        function="path_pairs",
        cases=(Case("la secuencia del enunciado", lambda: ()),),
        reference=_paths(),
        mistakes=(
            Mistake(
                "sin-solape",
                "has cortado sin solape: cada trozo empieza medio trozo después del anterior",
                (
                    _paths(trozos=30, dentro=12_000, entre=18_000),
                    _paths(trozos=30),
                    _paths(trozos=31, dentro=12_400, entre=19_220),
                ),
            ),
            Mistake(
                "sin-bordes",
                "te faltan los ceros de los bordes: con medio trozo por cada lado, el primer y el "
                "último vector también caen en dos trozos",
                (_paths(trozos=59, dentro=23_600, entre=69_620), _paths(trozos=59)),
            ),
            Mistake(
                "un-trozo-de-mas",
                "has contado un trozo de más: si hay k medios trozos, caben k − 1 trozos enteros",
                (_paths(trozos=62, dentro=24_800, entre=76_880), _paths(trozos=62)),
            ),
            Mistake(
                "un-solo-lugar",
                "entre trozos hay una secuencia por cada lugar: las parejas son C · N · N",
                (_paths(entre=3_721), _paths(entre=1_220)),
            ),
            Mistake(
                "un-solo-trozo",
                "dentro hay que contar todos los trozos: las parejas son N · C · C",
                (_paths(dentro=400), _paths(dentro=1_220)),
            ),
            Mistake(
                "mitad",
                "has contado cada pareja una vez: la atención compara cada consulta con todas las "
                "claves, también consigo misma",
                (_paths(entera=180_000), _paths(entera=179_700), _paths(entera=180_300)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)


def _who(orden=(1, 2, 0), media=9.0, voraz=7.0, ordenes=6):
    return _answer(orden=list(orden), media=media, voraz=voraz, ordenes=ordenes)


WHO = Exercise(
    Card(
        id="quien-es-quien",
        title="¿Quién es quién?",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="asignar salidas a personas probando todos los órdenes",
        hints=(
            "Escribe los órdenes posibles: a las personas 0, 1 y 2 les tocan tres salidas "
            "distintas.",
            "La persona es la columna y la salida, la fila: suma una casilla de cada columna sin "
            "repetir fila.",
            "Quien elige siempre la casilla más alta que queda empieza por el 14.",
        ),
    ),
    Task(
        function="who_is_who",
        cases=(Case("la tabla del enunciado", lambda: ()),),
        reference=_who(),
        mistakes=(
            Mistake(
                "al-reves",
                "has dicho a qué persona va cada salida: se pide qué salida le toca a cada persona",
                (_who(orden=(2, 0, 1)),),
            ),
            Mistake(
                "voraz",
                "has tomado la casilla más alta de todas: a veces obliga a quedarse con una muy "
                "baja, y la suma es menor",
                (
                    _who(orden=(1, 0, 2), media=7.0),
                    _who(orden=(1, 0, 2)),
                    _who(media=7.0),
                ),
            ),
            Mistake(
                "suma",
                "has dado la suma: se pide la media de las tres personas",
                (_who(media=27.0, voraz=21.0), _who(media=27.0), _who(voraz=21.0)),
            ),
            Mistake(
                "parejas",
                "con tres personas hay 3 · 2 · 1 órdenes: la primera elige entre tres, la segunda "
                "entre dos y la última no elige",
                (_who(ordenes=9), _who(ordenes=3), _who(ordenes=27)),
            ),
            Mistake(
                "repetida",
                "le has dado la misma salida a dos personas: cada salida es de una sola",
                (_who(media=31 / 3), _who(voraz=31 / 3), _who(media=31 / 3, voraz=31 / 3)),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    ),
)
