"""Ejercicios para comprender: cuánto lee el codificador y cuántos errores hay en una frase."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _lengths(columnas=3000, vectores=1500, milisegundos=20.0, pares=2_250_000):
    found = {"columnas": columnas, "vectores": vectores}
    return lambda: found | {"milisegundos": milisegundos, "pares": pares}


LENGTHS = Exercise(
    Card(
        id="cuanto-lee-el-codificador",
        title="Cuánto lee el codificador",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="seguir los tamaños desde la onda hasta la atención",
        hints=(
            "Una columna cada salto: divide las muestras entre las del salto.",
            "De las dos convoluciones, solo la segunda tiene zancada 2.",
            "En la autoatención, cada vector mira a todos: los pares son el cuadrado.",
        ),
    ),
    Task(
        function="encoder_lengths",
        cases=(Case("los tamaños de Whisper", lambda: ()),),
        reference=_lengths(),
        mistakes=(
            Mistake(
                "sin-zancada",
                "has contado un vector por columna: la segunda convolución tiene zancada 2",
                (
                    _lengths(vectores=3000, milisegundos=10.0, pares=9_000_000),
                    _lengths(vectores=3000),
                    _lengths(vectores=3000, pares=9_000_000),
                ),
            ),
            Mistake(
                "dos-zancadas",
                "has reducido a la mitad dos veces: la primera convolución conserva la longitud",
                (
                    _lengths(vectores=750, milisegundos=40.0, pares=562_500),
                    _lengths(vectores=750),
                    _lengths(vectores=750, pares=562_500),
                ),
            ),
            Mistake(
                "el-salto",
                "has dado los milisegundos de una columna; un vector son dos columnas",
                (_lengths(milisegundos=10.0),),
            ),
            Mistake(
                "sin-cuadrado",
                "has contado vectores, no pares: cada uno mira a todos",
                (_lengths(pares=1500), _lengths(pares=3000)),
            ),
            Mistake(
                "la-ventana",
                "has dividido entre la ventana: las columnas van de salto en salto",
                (_lengths(columnas=1200, vectores=600, milisegundos=50.0, pares=360_000),
                 _lengths(columnas=1200)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)  # fmt: skip


def _errors(cambios=1, bajas=1, altas=1, wer=0.6):
    return lambda: {"cambios": cambios, "bajas": bajas, "altas": altas, "wer": wer}


ERRORS = Exercise(
    Card(
        id="errores-por-palabra",
        title="Errores por palabra, a mano",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="contar cambios, bajas y altas, y sacar la tasa de error por palabra",
        hints=(
            "Escribe las dos frases una debajo de otra y deja huecos para que coincida lo más "
            "posible.",
            "Una baja es una palabra dicha que falta en lo escrito; un alta, una escrita de más.",
            "La tasa divide entre las palabras que se dijeron, no entre las escritas.",
        ),
    ),
    Task(
        function="word_errors",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_errors(),
        mistakes=(
            Mistake(
                "posicion-a-posicion",
                "has comparado palabra a palabra por su sitio: tras una baja, todo se desplaza; "
                "busca el menor número de arreglos",
                (
                    _errors(cambios=4, bajas=0, altas=0, wer=0.8),
                    _errors(cambios=3, bajas=0, altas=0, wer=0.6),
                    _errors(cambios=3, bajas=0, altas=0),
                ),
            ),
            Mistake(
                "sin-altas",
                "no has contado la palabra de más: también es un error",
                (_errors(altas=0, wer=0.4), _errors(altas=0)),
            ),
            Mistake(
                "bajas-por-altas",
                "has cambiado bajas por altas: la baja es lo que se dijo y falta",
                (_errors(bajas=2, altas=0), _errors(bajas=0, altas=2)),
            ),
            Mistake(
                "acierto",
                "has dado la parte que está bien: la tasa es la de errores",
                (_errors(wer=0.4),),
            ),
            Mistake(
                "porcentaje",
                "has dado un porcentaje: se pide la fracción, entre 0 y 1",
                (_errors(wer=60.0),),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    ),
)
