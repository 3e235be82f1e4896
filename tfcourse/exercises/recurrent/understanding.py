"""Ejercicios para comprender: cuántos parámetros hay, y tres pasos con lápiz y papel."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# Tamaño de la entrada, del estado y de la salida, longitud y número de direcciones.
NETWORKS = {"A": (10, 20, 5, 7, 1), "B": (10, 20, 5, 700, 1), "C": (10, 20, 5, 7, 2)}


def _counts(count):
    return lambda: {name: count(*sizes) for name, sizes in NETWORKS.items()}


def _right(x, h, o, t, n):
    return n * (x * h + h * h + h) + n * h * o + o


PARAMETERS = Exercise(
    Card(
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
    ),
    Task(
        function="parameter_counts",
        cases=(Case("tres redes", lambda: ()),),
        reference=_counts(_right),
        mistakes=(
            Mistake(
                "crece-con-la-longitud",
                "has multiplicado por la longitud: los pesos son los mismos en todos los pasos, y "
                "se cuentan una vez",
                (
                    _counts(lambda x, h, o, t, n: t * _right(x, h, o, t, n)),
                    _counts(lambda x, h, o, t, n: t * n * (x * h + h * h + h) + n * h * o + o),
                    _counts(
                        lambda x, h, o, t, n: n * t * (x * h + h * h + h) + t * (n * h * o + o)
                    ),
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
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

W_X, W_H, W_OUT, B_OUT = 1.0, -1.0, 2.0, 1.0
READ = (1.0, 1.0, 0.0)


def _trace(w_x=W_X, w_h=W_H, squash=math.tanh, h=0.0):
    states = []
    for x in READ:
        h = squash(x * w_x + h * w_h)
        states.append(h)
    return states


def _answer(states, output=None):
    return lambda: (states, W_OUT * states[-1] + B_OUT if output is None else output)


_RIGHT = _trace()

BY_HAND = Exercise(
    Card(
        id="estados-a-mano",
        title="Tres pasos a mano",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="recorrer la recurrencia con una calculadora, del primer estado a la salida",
        hints=(
            "Cada estado se calcula con la entrada de su paso y con el estado anterior; antes del "
            "primero, el estado vale 0.",
            "El segundo estado es tanh(1 · 1 + h₁ · (−1)). ¿Qué signo tendrá el tercero?",
            "h₁ = tanh(1) ≈ 0,762. La salida se calcula con el último estado, sin tangente.",
        ),
    ),
    Task(
        function="by_hand",
        cases=(Case("la secuencia 1, 1, 0", lambda: ()),),
        reference=_answer(_RIGHT),
        outputs=("h", "o"),
        mistakes=(
            Mistake(
                "sin-tanh",
                "te falta la tangente hiperbólica: los estados están siempre entre −1 y 1",
                (_answer(_trace(squash=lambda z: z)),),
            ),
            Mistake(
                "sin-memoria",
                "no has usado el estado anterior: cada paso depende también de él, a través de w_h",
                (_answer(_trace(w_h=0.0)),),
            ),
            Mistake(
                "signo",
                "has sumado el estado anterior, y w_h vale −1: hay que restarlo",
                (_answer(_trace(w_h=1.0)),),
            ),
            Mistake(
                "salida-de-la-entrada",
                "los estados son correctos, pero has calculado la salida con x₃: se calcula con el "
                "estado, que es donde está la memoria",
                (_answer(_RIGHT, W_OUT * READ[-1] + B_OUT),),
            ),
            Mistake(
                "salida-sin-sesgo",
                "los estados son correctos, pero a la salida le falta su sesgo, b_out",
                (_answer(_RIGHT, W_OUT * _RIGHT[-1]),),
            ),
            Mistake(
                "salida-con-tanh",
                "los estados son correctos, pero la salida no lleva tangente hiperbólica",
                (_answer(_RIGHT, math.tanh(W_OUT * _RIGHT[-1] + B_OUT)),),
            ),
        ),
        tolerance=4e-3,  # se admite redondear también los pasos intermedios
        differentiable=False,
        reveals=False,
    ),
)
