"""Ejercicios para comprender: cuánto ve un vector y cuántos caminos escriben un texto."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(**values):
    return lambda: dict(values)


def _sizes(salto=40, campo=105, vectores=198, codigos=64, entradas=16):
    return _answer(salto=salto, campo=campo, vectores=vectores, codigos=codigos, entradas=entradas)


SIZES = Exercise(
    Card(
        id="cuanto-ve-un-vector",
        title="Cuánto ve un vector",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="deducir el salto, el campo y los códigos de un wav2vec",
        hints=(
            "Las zancadas se multiplican.",
            "El campo se cuenta desde arriba: 1; después (1 − 1) · 2 + 4 = 4; y así hasta la onda.",
            "El primer vector gasta el campo entero, y cada salto que quepa detrás da otro.",
        ),
    ),
    Task(
        function="wave_sizes",
        cases=(Case("la red del enunciado", lambda: ()),),
        reference=_sizes(),
        mistakes=(
            Mistake(
                "suma-de-zancadas",
                "has sumado las zancadas: se multiplican, porque cada una salta sobre la anterior",
                (_sizes(salto=11), _sizes(salto=11, vectores=718)),
            ),
            Mistake(
                "producto-de-nucleos",
                "el campo no es el producto de los tamaños ni su suma: cada convolución lo agranda "
                "según las zancadas que tiene debajo",
                (_sizes(campo=320), _sizes(campo=22), _sizes(campo=320, vectores=193)),
            ),
            Mistake(
                "sin-borde",
                "has dividido las muestras entre el salto: el primer vector gasta el campo entero",
                (_sizes(vectores=200), _sizes(vectores=199)),
            ),
            Mistake(
                "suma-de-codigos",
                "has confundido códigos y entradas: se elige una de cada tabla, así que los "
                "códigos se multiplican y las entradas se suman",
                (_sizes(codigos=16), _sizes(codigos=16, entradas=64), _sizes(entradas=64)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)


def _paths(uno=6, dos=5, repetido=1):
    return _answer(uno=uno, dos=dos, repetido=repetido)


PATHS = Exercise(
    Card(
        id="cuantos-caminos",
        title="Cuántos caminos",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="contar los caminos de CTC que escriben un texto corto",
        hints=(
            "Un camino da un símbolo o un blanco por vector; primero se juntan los repetidos y "
            "después se quitan los blancos.",
            "Para «a» con tres vectores, las aes tienen que ir seguidas: cuenta los tramos.",
            "Entre dos letras iguales hace falta un blanco, o se juntarían.",
        ),
    ),
    Task(
        function="ctc_paths",
        cases=(Case("los tres textos", lambda: ()),),
        reference=_paths(),
        mistakes=(
            Mistake(
                "sin-blancos",
                "has contado solo los caminos sin blancos: también valen los que los llevan",
                (_paths(uno=1, dos=2, repetido=0), _paths(uno=1, dos=2), _paths(dos=2)),
            ),
            Mistake(
                "con-agujeros",
                "has contado caminos con dos tramos de «a» y un blanco en medio: eso escribe «aa»",
                (_paths(uno=7), _paths(uno=7, repetido=0)),
            ),
            Mistake(
                "repetidas-juntas",
                "has contado caminos que escriben «aa» sin un blanco en medio: se juntarían en «a»",
                (_paths(repetido=3), _paths(repetido=5), _paths(repetido=2)),
            ),
            Mistake(
                "sin-repetir",
                "has contado solo los caminos en los que una letra dura un vector: puede durar más",
                (_paths(uno=3, dos=3), _paths(uno=3), _paths(dos=3)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
