"""Ejercicio para comprender: las parejas de un lote de CLIP y lo que saldría al azar."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _numbers(*numbers):
    return lambda: numbers


UNTRAINED = round(math.log(64), 3)

# Un lote de 64 parejas, y una búsqueda entre 250 dibujos.
PAIRS = Exercise(
    Card(
        id="parejas-de-un-lote",
        title="Las parejas de un lote",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="saber de qué se aprende en un lote y con qué hay que comparar lo que sale",
        hints=(
            "Cada imagen se compara con todos los textos del lote.",
            "De los textos del lote, solo uno es el suyo: los demás son negativos.",
            "Con todos los logits iguales, la probabilidad de acertar es 1 / N, y la pérdida, el "
            "logaritmo neperiano de N.",
        ),
    ),
    Task(
        function="count_matches",
        cases=(Case("los números del enunciado", lambda: ()),),
        reference=_numbers(4096, 63, UNTRAINED, 0.04),
        outputs=(
            "los cosenos del lote",
            "los negativos de una imagen",
            "la pérdida sin saber nada",
            "el acierto al azar entre los diez primeros",
        ),
        mistakes=(
            Mistake(
                "solo-las-parejas",
                "has contado solo las parejas: se calcula el coseno de cada imagen con cada texto",
                (_numbers(64, 63, UNTRAINED, 0.04),),
            ),
            Mistake(
                "el-suyo-tambien",
                "has contado el texto de la propia imagen entre los negativos",
                (_numbers(4096, 64, UNTRAINED, 0.04),),
            ),
            Mistake(
                "dos-perdidas",
                "has sumado las dos entropías: la pérdida es su media",
                (_numbers(4096, 63, round(2 * math.log(64), 3), 0.04),),
            ),
            Mistake(
                "en-bits",
                "has usado el logaritmo en base 2: la entropía cruzada usa el neperiano",
                (_numbers(4096, 63, 6.0, 0.04), _numbers(4096, 63, 6, 0.04)),
            ),
            Mistake(
                "solo-el-primero",
                "ese es el azar de quedar el primero: entre los diez primeros hay diez sitios",
                (_numbers(4096, 63, UNTRAINED, 0.004),),
            ),
        ),
        tolerance=0.002,
        differentiable=False,
        reveals=False,
    ),
)
