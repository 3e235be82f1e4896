"""Ejercicios para comprender: cuántos tokens da cada modalidad y cuántos pares se miran."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _numbers(*numbers):
    return lambda: numbers


# Imagen de 32 × 48 en parches de 8; vídeo de 16 × 32 × 32 en tubos de 2 × 8 × 8; sonido de 200
# columnas con zancada 2; y un texto de 12 tokens.
COUNTING = Exercise(
    Card(
        id="contar-los-tokens",
        title="Contar los tokens",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="saber cuántos tokens da cada modalidad antes de juntarlas",
        hints=(
            "Una imagen se corta en filas y en columnas: multiplica las dos cuentas.",
            "Un tubo abarca varios fotogramas: divide también entre los que abarca.",
            "La segunda convolución del tallo avanza de dos en dos columnas. El total es la suma "
            "de las cuatro, con el texto.",
        ),
    ),
    Task(
        function="count_tokens",
        cases=(Case("las entradas del enunciado", lambda: ()),),
        reference=_numbers(24, 128, 100, 264),
        outputs=("los de la imagen", "los del vídeo", "los del sonido", "los de todo junto"),
        mistakes=(
            Mistake(
                "un-solo-lado",
                "has dividido entre un solo lado del parche: se corta en filas y en columnas",
                (_numbers(192, 128, 100, 432), _numbers(192, 128, 100, 264)),
            ),
            Mistake(
                "fotograma-a-fotograma",
                "has cortado cada fotograma por separado: un tubo abarca dos",
                (_numbers(24, 256, 100, 392), _numbers(24, 256, 100, 264)),
            ),
            Mistake(
                "una-por-columna",
                "has contado un token por columna: el tallo junta cada dos",
                (_numbers(24, 128, 200, 364), _numbers(24, 128, 200, 264)),
            ),
            Mistake(
                "sin-el-texto",
                "en el total faltan los tokens del texto, que también se leen",
                (_numbers(24, 128, 100, 252),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

# Seis tokens de imagen y cuatro de sonido; la suma, con cinco y cinco.
PAIRS = Exercise(
    Card(
        id="pares-que-se-miran",
        title="Pares que se miran",
        kind="comprender",
        difficulty=2,
        minutes=8,
        points=1,
        objective="leer una máscara entre modalidades y saber lo que cuesta",
        hints=(
            "Con la concatenación, todos los tokens miran a todos.",
            "Por separado hay dos cuadrados; en la cruzada, dos rectángulos, uno por sentido.",
            "Al sumar, cada pareja de tokens es un solo token: cuenta cuántos quedan.",
        ),
    ),
    Task(
        function="count_pairs",
        cases=(Case("las secuencias del enunciado", lambda: ()),),
        reference=_numbers(100, 52, 48, 25),
        outputs=("la concatenación", "por separado", "la cruzada", "la suma"),
        mistakes=(
            Mistake(
                "un-solo-sentido",
                "en la cruzada preguntan las dos: cuenta también los pares del otro sentido",
                (_numbers(100, 52, 24, 25),),
            ),
            Mistake(
                "propia-por-otra",
                "has cambiado los dos del medio: por separado son cuadrados, 6 × 6 y 4 × 4",
                (_numbers(100, 48, 52, 25),),
            ),
            Mistake(
                "suma-pegada",
                "la suma no pega las secuencias: deja una de cinco tokens",
                (_numbers(100, 52, 48, 100), _numbers(100, 52, 48, 50)),
            ),
            Mistake(
                "tokens-y-no-pares",
                "has contado tokens: un par es alguien que pregunta y alguien que contesta",
                (_numbers(10, 10, 10, 5), _numbers(10, 52, 48, 25)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
