"""Ejercicios para comprender: lo que se pierde al redondear y lo que cuesta el orden al azar."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# Una caja de 0,2 × 0,5 con 21 marcas: encoge 1/20 en cada eje.
WORST, WORDS = 0.75 * 0.9, 17
LOST, MODES = math.log(6), 1 / 3


def _pair(first, second):
    return lambda: (first, second)


ROUNDING = Exercise(
    Card(
        id="redondear-una-caja",
        title="Lo que cuesta redondear",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="acotar el error de escribir una caja y contar las palabras de una escena",
        hints=(
            "Con 21 marcas hay 20 huecos: entre dos marcas, 1/20. Cada borde se mueve, como mucho, "
            "la mitad.",
            "En lo peor, los cuatro bordes van hacia dentro: cada lado encoge un hueco entero.",
            "Cada objeto son cinco palabras. No olvides las que abren y cierran la frase.",
        ),
    ),
    Task(
        function="rounding_by_hand",
        cases=(Case("la caja y la escena del enunciado", lambda: ()),),
        reference=_pair(WORST, WORDS),
        outputs=("la peor IoU", "las palabras"),
        mistakes=(
            Mistake(
                "solo-un-borde",
                "en lo peor se mueven los dos bordes de cada eje: el lado encoge un hueco entero, "
                "no medio",
                (_pair(0.875 * 0.95, WORDS), _pair(0.875 * 0.95, 15)),
            ),
            Mistake(
                "marcas-por-huecos",
                "con 21 marcas hay 20 huecos, no 21",
                (
                    _pair((1 - 1 / 4.2) * (1 - 1 / 10.5), WORDS),
                    _pair((1 - 1 / 4.2) * (1 - 1 / 10.5), 15),
                ),
            ),
            Mistake(
                "sin-inicio-ni-fin",
                "a las palabras de los objetos les faltan la que abre la frase y la que la cierra",
                (_pair(WORST, 15), _pair(WORST, 16)),
            ),
            Mistake(
                "cuatro-por-objeto",
                "cada objeto son cinco palabras: las coordenadas y la clase",
                (_pair(WORST, 14), _pair(WORST, 12)),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    ),
)

IGNORANCE = Exercise(
    Card(
        id="precio-del-azar",
        title="El precio de barajar",
        kind="comprender",
        difficulty=2,
        minutes=8,
        points=1,
        objective="calcular la parte de la pérdida que ningún modelo puede bajar",
        hints=(
            "Al empezar faltan tres objetos, sin preferencias; después, dos; después, uno.",
            "Los nats se suman: log 3 + log 2 + log 1.",
            "La marca más probable de la primera palabra es la del borde de un objeto, y hay tres.",
        ),
    ),
    Task(
        function="price_of_order",
        cases=(Case("la escena del enunciado", lambda: ()),),
        reference=_pair(LOST, MODES),
        outputs=("los nats", "la probabilidad"),
        mistakes=(
            Mistake(
                "solo-el-primero",
                "ese es el precio del primer objeto: después hay que elegir el segundo",
                (_pair(math.log(3), MODES), _pair(math.log(3), 1.0)),
            ),
            Mistake(
                "una-vez-por-objeto",
                "cada vez quedan menos objetos entre los que elegir: no es tres veces lo mismo",
                (_pair(3 * math.log(3), MODES), _pair(3 * math.log(3), 1.0)),
            ),
            Mistake(
                "en-bits",
                "eso son bits: usa el logaritmo natural",
                (_pair(math.log2(6), MODES),),
            ),
            Mistake(
                "segura-de-si-misma",
                "la primera palabra no puede salir segura: hay tres respuestas correctas",
                (_pair(LOST, 1.0), _pair(LOST, 0.5)),
            ),
        ),
        tolerance=3e-3,
        differentiable=False,
        reveals=False,
    ),
)
