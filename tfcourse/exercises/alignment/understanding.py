"""Ejercicios para comprender: puntajes de tres funciones y una sparsemax, con lápiz y papel."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

QUERY, FIRST, SECOND = (3.0, 4.0), (4.0, 3.0), (0.0, 10.0)


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


_ROOT = math.sqrt(2)


def _table(scale=_ROOT, cosine=None, swap=False):
    """Las seis respuestas, con alguna pieza cambiada: así se fabrican los errores típicos."""
    cosine = cosine or (lambda q, k: _dot(q, k) / math.hypot(*q) / math.hypot(*k))

    def scores_by_hand():
        answers = {}
        for name, key in (("A", FIRST), ("B", SECOND)):
            product, angle = _dot(QUERY, key), cosine(QUERY, key)
            if swap:
                product, angle = angle, product
            answers |= {
                f"producto_{name}": product,
                f"escalado_{name}": product / scale,
                f"coseno_{name}": angle,
            }
        return answers

    return scores_by_hand


SCORES = Exercise(
    Card(
        id="tres-puntajes",
        title="Tres puntajes para dos claves",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="ver en números qué premia cada función de alineamiento",
        hints=(
            "Empieza por el producto escalar: componente por componente y se suma. Los otros dos "
            "salen de él con una división.",
            "El escalado divide entre la raíz del tamaño de la clave (aquí, 2). El coseno, entre "
            "el producto de las dos longitudes: la de q es √(3² + 4²) = 5.",
            "Para la clave A: el producto es 3·4 + 4·3 = 24; el coseno, 24 / (5·5).",
        ),
    ),
    Task(
        function="scores_by_hand",
        cases=(Case("las dos claves", lambda: ()),),
        reference=_table(),
        mistakes=(
            Mistake(
                "dividido-entre-d",
                "en el escalado has dividido entre 2, el tamaño de la clave: se divide entre su "
                "raíz, √2 ≈ 1,414",
                (_table(scale=2.0),),
            ),
            Mistake(
                "sin-escalar",
                "el escalado te ha salido igual que el producto: falta dividir entre √2",
                (_table(scale=1.0),),
            ),
            Mistake(
                "coseno-sin-raiz",
                "en el coseno has dividido entre las longitudes al cuadrado: la longitud lleva "
                "raíz, √(3² + 4²) = 5",
                (_table(cosine=lambda q, k: _dot(q, k) / _dot(q, q) / _dot(k, k)),),
            ),
            Mistake(
                "coseno-media-norma",
                "en el coseno solo has dividido entre una de las dos longitudes: van las dos",
                (
                    _table(cosine=lambda q, k: _dot(q, k) / math.hypot(*q)),
                    _table(cosine=lambda q, k: _dot(q, k) / math.hypot(*k)),
                ),
            ),
            Mistake(
                "longitud-sumando",
                "has medido la longitud sumando componentes: se suman sus cuadrados y se saca la "
                "raíz",
                (_table(cosine=lambda q, k: _dot(q, k) / sum(q) / sum(k)),),
            ),
        ),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    ),
)

VALUES = (1.2, 0.8, 0.1, -0.5)


def _clipped(threshold):
    return [max(value - threshold, 0.0) for value in VALUES]


def _answer(weights, threshold=0.5):
    return lambda: (list(weights), threshold)


_POWERS = [math.exp(value) for value in VALUES]
_ALL = (sum(VALUES) - 1) / len(VALUES)
_THREE = (sum(VALUES[:3]) - 1) / 3

SIMPLEX = Exercise(
    Card(
        id="sparsemax-a-mano",
        title="Una sparsemax a mano",
        kind="comprender",
        difficulty=2,
        minutes=8,
        points=1,
        objective="hallar el soporte y el umbral de una sparsemax sin código",
        hints=(
            "Los puntajes ya están ordenados. Prueba r = 1, 2, 3… y apunta cuándo deja de "
            "cumplirse 1 + r·z_r > z_1 + … + z_r.",
            "Con r = 2: 1 + 2·0,8 = 2,6 y la suma es 2,0: entra. Con r = 3: 1 + 3·0,1 = 1,3 y la "
            "suma es 2,1.",
            "El soporte tiene dos elementos, así que τ = (1,2 + 0,8 − 1) / 2. Réstalo a cada "
            "puntaje y quédate con la parte positiva.",
        ),
    ),
    Task(
        function="sparsemax_by_hand",
        cases=(Case("los cuatro puntajes", lambda: ()),),
        reference=_answer(_clipped(0.5)),
        outputs=("p", "tau"),
        mistakes=(
            Mistake(
                "softmax",
                "has calculado un softmax: la sparsemax no usa exponenciales y da ceros exactos",
                (
                    _answer([power / sum(_POWERS) for power in _POWERS]),
                    _answer([power / sum(_POWERS) for power in _POWERS], 0.0),
                ),
            ),
            Mistake(
                "soporte-entero",
                "has calculado el umbral con los cuatro puntajes: solo cuentan los del soporte, y "
                "el tercero ya no entra",
                (
                    _answer(_clipped(_ALL), _ALL),
                    _answer([value - _ALL for value in VALUES], _ALL),
                    _answer(_clipped(_THREE), _THREE),
                ),
            ),
            Mistake(
                "sin-recortar",
                "has restado el umbral sin quedarte con la parte positiva: ningún peso puede ser "
                "negativo",
                (_answer([value - 0.5 for value in VALUES]),),
            ),
            Mistake(
                "sin-menos-uno",
                "en el umbral falta el −1: τ = (suma del soporte − 1) / número de elementos; así "
                "los pesos no suman 1",
                (_answer(_clipped(1.0), 1.0),),
            ),
            Mistake(
                "sin-dividir",
                "el umbral se divide entre el número de elementos del soporte, que son dos",
                (_answer(_clipped(1.0)), _answer(_clipped(0.5), 1.0)),
            ),
            Mistake(
                "recortado-y-dividido",
                "has quitado los negativos y dividido entre la suma: eso suma 1, pero no es el "
                "punto más cercano",
                (
                    _answer([max(v, 0) / 2.1 for v in VALUES]),
                    _answer([max(v, 0) / 2.1 for v in VALUES], 0.0),
                ),
            ),
        ),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    ),
)
