"""Ejercicios para comprender: cuántas claves mira cada núcleo y hasta dónde llega."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# La secuencia y los núcleos por los que se pregunta.
LENGTH, WINDOW, STRIDE, SUMMARY = 4096, 64, 64, 256
LAST = LENGTH - 1


def _keys(*, window=2 * WINDOW + 1, strided=None, summary=SUMMARY):
    # Cerca, de 0 a 64 pasos; lejos, los múltiplos de 64 que no están ya cerca.
    counted = STRIDE + 1 + LAST // STRIDE - 1 if strided is None else strided
    values = {"completa": LENGTH, "ventana": window, "saltos": counted, "resumen": summary}
    return lambda: dict(values)


KEYS_SEEN = Exercise(
    Card(
        id="claves-que-se-miran",
        title="¿Cuántas claves mira cada una?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="contar lo que compara un patrón sin contar nada dos veces",
        hints=(
            "La ventana va hacia los dos lados, y cada posición también se mira a sí misma.",
            "En el patrón a saltos hay dos grupos: de 0 a 64 pasos atrás, y los múltiplos de 64. "
            "¿Qué posiciones están en los dos?",
            "Desde la posición 4095, los múltiplos de 64 que caben son 0, 64, 128… hasta 4032. Los "
            "dos primeros ya están en el grupo de cerca.",
        ),
    ),
    Task(
        function="keys_seen",
        cases=(Case("la secuencia del enunciado", lambda: ()),),
        reference=_keys(),
        mistakes=(
            Mistake(
                "un-solo-lado",
                "has contado solo un lado de la ventana: llega a 64 posiciones hacia atrás y a "
                "otras 64 hacia delante",
                (_keys(window=WINDOW + 1), _keys(window=WINDOW)),
            ),
            Mistake(
                "no-se-mira",
                "te falta la propia posición en la ventana: también se mira a sí misma",
                (_keys(window=2 * WINDOW),),
            ),
            Mistake(
                "contadas-dos-veces",
                "en los saltos has contado dos veces alguna posición: las que están a 0 y a 64 "
                "pasos son de los dos grupos",
                (
                    _keys(strided=STRIDE + 1 + LAST // STRIDE + 1),
                    _keys(strided=STRIDE + 1 + LAST // STRIDE),
                    _keys(strided=STRIDE + LENGTH // STRIDE),
                ),
            ),
            Mistake(
                "solo-saltos",
                "en los saltos has contado un solo grupo: son las vecinas y, además, una de cada "
                "64",
                (
                    _keys(strided=LAST // STRIDE + 1),
                    _keys(strided=LAST // STRIDE),
                    _keys(strided=STRIDE + 1),
                    _keys(strided=STRIDE),
                ),
            ),
            Mistake(
                "trozo-del-resumen",
                "has contado cuántas claves entran en cada resumen; se pregunta con cuántos "
                "resúmenes se compara una consulta",
                (_keys(summary=LENGTH // SUMMARY),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

DISTANCE, REACH, DILATION = 300, 32, 4


def _layers(*, window=None, dilated=None, strided=2, global_=2):
    values = {
        "ventana": math.ceil(DISTANCE / REACH) if window is None else window,
        "dilatada": math.ceil(DISTANCE / (REACH * DILATION)) if dilated is None else dilated,
        "saltos": strided,
        "longformer": global_,
    }
    return lambda: dict(values)


LAYERS_NEEDED = Exercise(
    Card(
        id="capas-para-llegar",
        title="¿Cuántas capas hasta el otro extremo?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="saber cuánto viaja la información en cada capa",
        hints=(
            "En cada capa, una posición solo recibe de las que mira. Piensa en una cadena: quién "
            "se lo cuenta a quién.",
            "Con dilatación 4, una capa de 32 pasos avanza 128 posiciones.",
            "Una posición global mira a todas y todas la miran: sirve de intermediaria.",
        ),
    ),
    Task(
        function="layers_needed",
        cases=(Case("las dos posiciones del enunciado", lambda: ()),),
        reference=_layers(),
        mistakes=(
            Mistake(
                "redondeo-abajo",
                "has redondeado hacia abajo: con una capa de menos, el mensaje se queda a medio "
                "camino",
                (
                    _layers(window=DISTANCE // REACH),
                    _layers(dilated=2),
                    _layers(window=9, dilated=2),
                ),
            ),
            Mistake(
                "una-capa-basta",
                "una sola capa solo alcanza lo que mira: a 300 posiciones hace falta que alguien "
                "haga de intermediario",
                (_layers(strided=1), _layers(global_=1), _layers(strided=1, global_=1)),
            ),
            Mistake(
                "global-como-ventana",
                "has contado Longformer como si solo tuviera ventana: el mensaje puede pasar por "
                "la "
                "posición global",
                (_layers(global_=10), _layers(global_=9)),
            ),
            Mistake(
                "saltos-de-uno-en-uno",
                "has contado los saltos de 64 de uno en uno, y una capa ve *todas* las posiciones "
                "a un múltiplo de 64, también las lejanas",
                (_layers(strided=5), _layers(strided=4)),
            ),
            Mistake(
                "dilatada-sin-dilatar",
                "has contado la dilatada como una ventana normal: cada paso avanza 4 posiciones",
                (_layers(dilated=10), _layers(dilated=9)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
