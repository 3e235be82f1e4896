"""Ejercicios para comprender: qué alias se oye y cuánto mide un espectrograma."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(**values):
    return lambda: dict(values)


def _aliases(a=2500.0, b=1500.0, c=0.0):
    return _answer(a=a, b=b, c=c)


ALIASES = Exercise(
    Card(
        id="que-alias-se-oye",
        title="Qué alias se oye",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="predecir con qué frecuencia se confunde un tono al muestrearlo",
        hints=(
            "Por debajo de la mitad de la frecuencia de muestreo no pasa nada.",
            "Resta tantas veces la frecuencia de muestreo como haga falta para acercarte a 0.",
            "Si sale negativa, quítale el signo: un coseno no distingue f de −f.",
        ),
    ),
    Task(
        function="aliases",
        cases=(Case("los tres tonos", lambda: ()),),
        reference=_aliases(),
        mistakes=(
            Mistake(
                "sin-doblar",
                "has dado la frecuencia de partida: por encima de la mitad de la de muestreo, se "
                "dobla",
                (_aliases(b=8500.0, c=20000.0), _aliases(c=20000.0)),
            ),
            Mistake(
                "modulo",
                "has dado el resto de dividir entre la frecuencia de muestreo: si pasa de la "
                "mitad, falta doblarlo",
                (_aliases(b=8500.0),),
            ),
            Mistake(
                "todo-se-dobla",
                "has doblado también el que cabe: por debajo de la mitad se oye tal cual",
                (_aliases(a=7500.0), _aliases(a=7500.0, b=1500.0, c=10000.0)),
            ),
            Mistake(
                "lo-que-pasa-de-nyquist",
                "has contado lo que pasa de la mitad: el alias está igual de lejos, pero debajo",
                (_aliases(b=3500.0), _aliases(b=3500.0, c=5000.0), _aliases(b=3500.0, c=15000.0)),
            ),
        ),
        tolerance=0.5,
        differentiable=False,
        reveals=False,
    ),
)


def _sizes(casillas=201, instantes=301, hercios=40.0, milisegundos=25.0):
    return _answer(
        casillas=casillas, instantes=instantes, hercios=hercios, milisegundos=milisegundos
    )


SIZES = Exercise(
    Card(
        id="cuanto-mide-un-espectrograma",
        title="Cuánto mide un espectrograma",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="deducir los tamaños y las resoluciones de un espectrograma",
        hints=(
            "La segunda mitad de las casillas repite la primera: se guardan N/2 + 1.",
            "Con los tramos centrados hay uno en la muestra 0 y otro cada salto: 1 + T // S.",
            "Una casilla abarca f_s / N hercios, y una ventana dura N / f_s segundos.",
        ),
    ),
    Task(
        function="spectrogram_sizes",
        cases=(Case("el clip del enunciado", lambda: ()),),
        reference=_sizes(),
        mistakes=(
            Mistake(
                "todas-las-casillas",
                "has contado las N casillas, o la mitad justa: se guardan N/2 + 1",
                (_sizes(casillas=400), _sizes(casillas=200), _sizes(casillas=399)),
            ),
            Mistake(
                "sin-centrar",
                "has contado los tramos que caben enteros; con los bordes reflejados hay uno "
                "centrado en cada salto, también en el 0",
                (_sizes(instantes=298), _sizes(instantes=300), _sizes(instantes=299)),
            ),
            Mistake(
                "salto-por-ventana",
                "has usado el salto donde iba la ventana: la resolución la da la ventana",
                (
                    _sizes(hercios=100.0, milisegundos=10.0),
                    _sizes(milisegundos=10.0),
                    _sizes(hercios=100.0),
                ),
            ),
            Mistake(
                "nyquist-entre-ventana",
                "has repartido solo hasta la mitad de f_s entre las N casillas: es f_s entre N",
                (_sizes(hercios=20.0),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
