"""Ejercicios para comprender: tapar a mano y cuánto toca a cada tarea."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# «la casa roja de mi abuela está en venta», con los huecos 100, 101 y 102.
SOURCE = (11, 12, 100, 15, 101, 18, 19)
TARGET = (100, 13, 14, 101, 16, 17, 102)


def _pair(source, target):
    return lambda: (list(source), list(target))


BY_HAND = Exercise(
    Card(
        id="tapar-a-mano",
        title="Tapar a mano",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="escribir la entrada y el objetivo de un texto con dos tramos tapados",
        hints=(
            "En la entrada queda lo visible, y cada tramo tapado se cambia por un solo centinela.",
            "El objetivo es lo contrario: cada centinela seguido de lo que tapaba.",
            "El objetivo acaba con un centinela más, que no está en la entrada.",
        ),
    ),
    Task(
        function="hide_by_hand",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_pair(SOURCE, TARGET),
        outputs=("entrada", "objetivo"),
        mistakes=(
            Mistake(
                "uno-por-token",
                "has puesto un centinela por token tapado: es uno por tramo, mida lo que mida",
                (
                    _pair((11, 12, 100, 101, 15, 102, 103, 18, 19), TARGET),
                    _pair((11, 12, 100, 100, 15, 101, 101, 18, 19), TARGET),
                ),
            ),
            Mistake(
                "sin-centinela-final",
                "falta el último centinela del objetivo: dice que no hay más tramos",
                (_pair(SOURCE, TARGET[:-1]),),
            ),
            Mistake(
                "al-reves",
                "las has cambiado de sitio: la entrada es lo visible con sus huecos",
                (_pair(TARGET, SOURCE), _pair(TARGET[:-1], SOURCE)),
            ),
            Mistake(
                "texto-entero",
                "has pedido el texto entero: en T5 solo se escribe lo tapado, que es mucho menos",
                (_pair(SOURCE, range(11, 20)),),
            ),
            Mistake(
                "mismo-centinela",
                "has usado el mismo centinela para los dos tramos: entonces no se sabría cuál es "
                "cuál",
                (_pair((11, 12, 100, 15, 100, 18, 19), (100, 13, 14, 100, 16, 17, 100)),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)


def _rates(**values):
    return lambda: dict(values)


RATES = Exercise(
    Card(
        id="cuanto-a-cada-una",
        title="Cuánto toca a cada tarea",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="repartir la mezcla con un límite y una temperatura",
        hints=(
            "Primero el límite: ninguna tarea cuenta más de K ejemplos.",
            "Después la temperatura: cada cuenta se eleva a 1/T, y con T = 2 es la raíz cuadrada.",
            "Al final se divide entre la suma. Las raíces de 100, 900 y 1600 son exactas.",
        ),
    ),
    Task(
        function="mixing_shares",
        cases=(Case("las tres tareas del enunciado", lambda: ()),),
        reference=_rates(plural=0.125, tema=0.375, corrige=0.5),
        mistakes=(
            Mistake(
                "sin-limite",
                "te has saltado el límite: «corrige» cuenta como 1600 ejemplos, no como 10 000",
                (
                    _rates(plural=10 / 140, tema=30 / 140, corrige=100 / 140),
                    _rates(plural=100 / 11_000, tema=900 / 11_000, corrige=10_000 / 11_000),
                ),
            ),
            Mistake(
                "sin-temperatura",
                "te falta la temperatura: antes de dividir, cada cuenta se eleva a 1/T",
                (_rates(plural=100 / 2_600, tema=900 / 2_600, corrige=1_600 / 2_600),),
            ),
            Mistake(
                "elevada-a-t",
                "has elevado a T: se eleva a 1/T, que acerca las tareas en vez de separarlas",
                (_rates(plural=1 / 338, tema=81 / 338, corrige=256 / 338),),
            ),
            Mistake(
                "sin-normalizar",
                "no suman 1: falta dividir entre la suma de las tres",
                (_rates(plural=10, tema=30, corrige=40),),
            ),
            Mistake(
                "raiz-despues",
                "has hecho la raíz de las proporciones y no suman 1: la raíz va antes de dividir",
                (
                    _rates(
                        plural=(100 / 2_600) ** 0.5,
                        tema=(900 / 2_600) ** 0.5,
                        corrige=(1_600 / 2_600) ** 0.5,
                    ),
                ),
            ),
        ),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    ),
)
