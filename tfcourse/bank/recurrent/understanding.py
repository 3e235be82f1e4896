"""Ejercicio para comprender: cuántos parámetros tiene una red recurrente."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# Tamaño de la entrada, del estado y de la salida, longitud y número de direcciones.
NETWORKS = {"A": (10, 20, 5, 7, 1), "B": (10, 20, 5, 700, 1), "C": (10, 20, 5, 7, 2)}


class _Counts:
    """Las cuentas de unas redes: correctas o con algún error, según lo que se le dé."""

    def __init__(self, networks):
        self.networks = networks

    def __call__(self, count):
        return lambda: {name: count(*sizes) for name, sizes in self.networks.items()}


def _right(x, h, o, t, n):
    return n * (x * h + h * h + h) + n * h * o + o


PARAMETERS_CARD = Card(
    id="parametros",
    title="¿Cuántos parámetros tiene?",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="ver en números qué se comparte a lo largo del tiempo",
    hints=(
        "Escribe la forma de cada matriz y de cada sesgo de las dos ecuaciones, y suma sus "
        "tamaños. ¿En cuál interviene la longitud?",
        "La celda tiene W_x, W_h y b; la salida, W_out y b_out. En la bidireccional hay dos "
        "celdas, y lo que recibe la salida mide el doble.",
        "La celda de la red A tiene 10 · 20 + 20 · 20 + 20 parámetros. Falta la salida.",
    ),
)


def _mistakes(_counts: _Counts) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "crece-con-la-longitud",
            "has multiplicado por la longitud: los pesos son los mismos en todos los pasos, y "
            "se cuentan una vez",
            (
                _counts(lambda x, h, o, t, n: t * _right(x, h, o, t, n)),
                _counts(lambda x, h, o, t, n: t * n * (x * h + h * h + h) + n * h * o + o),
                _counts(lambda x, h, o, t, n: n * t * (x * h + h * h + h) + t * (n * h * o + o)),
            ),
        ),
        Mistake(
            "sin-sesgos",
            "te faltan los sesgos: b, uno por componente del estado, y b_out, uno por salida",
            (_counts(lambda x, h, o, t, n: n * (x * h + h * h) + n * h * o),),
        ),
        Mistake(
            "sin-w-h",
            "te falta W_h, la matriz que lleva el estado anterior al nuevo: sin ella no hay "
            "recurrencia",
            (_counts(lambda x, h, o, t, n: n * (x * h + h) + n * h * o + o),),
        ),
        Mistake(
            "sin-salida",
            "has contado solo la celda: falta la capa de salida, W_out y b_out",
            (_counts(lambda x, h, o, t, n: n * (x * h + h * h + h)),),
        ),
        Mistake(
            "una-direccion",
            "en la red C has contado una sola celda: la bidireccional tiene dos, cada una con "
            "sus pesos",
            (
                _counts(lambda x, h, o, t, n: _right(x, h, o, t, 1)),
                _counts(lambda x, h, o, t, n: x * h + h * h + h + n * h * o + o),
            ),
        ),
        Mistake(
            "salida-sin-doblar",
            "en la red C la salida recibe los dos estados: W_out tiene el doble de filas",
            (_counts(lambda x, h, o, t, n: n * (x * h + h * h + h) + h * o + o),),
        ),
        Mistake(
            "dos-salidas",
            "en la red C hay dos celdas, pero una sola capa de salida: b_out no se duplica",
            (_counts(lambda x, h, o, t, n: n * _right(x, h, o, t, 1)),),
        ),
    )


def _task(networks) -> Task:
    _counts = _Counts(networks)
    return Task(
        function="parameter_counts",
        cases=(Case("tres redes", lambda: ()),),
        reference=_counts(_right),
        mistakes=_mistakes(_counts),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tamaños; la red B sigue siendo la A con una secuencia cien veces más larga."""
    x, h = random.choice((4, 5, 6, 8, 12, 15)), random.choice((10, 20, 30, 40, 50))
    o, t = random.choice((2, 3, 4, 6, 7, 9)), random.randint(4, 9)
    networks = {"A": (x, h, o, t, 1), "B": (x, h, o, 100 * t, 1), "C": (x, h, o, t, 2)}
    hint = f"La celda de la red A tiene {x} · {h} + {h} · {h} + {h} parámetros. Falta la salida."
    card = replace(PARAMETERS_CARD, hints=(*PARAMETERS_CARD.hints[:-1], hint))
    changes = (
        ("| A | 10 | 20 | 5 | 7 |", f"| A | {x} | {h} | {o} | {t} |"),
        ("| B | 10 | 20 | 5 | 700 |", f"| B | {x} | {h} | {o} | {100 * t} |"),
        ("| C | 10 | 20 (cada una) | 5 | 7 |", f"| C | {x} | {h} (cada una) | {o} | {t} |"),
    )
    return Variant(Exercise(card, _task(networks)), changes)


PARAMETERS = Exercise(PARAMETERS_CARD, _task(NETWORKS), _draw)
