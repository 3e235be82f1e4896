"""Ejercicios para comprender: de qué está hecho un modelo y si dos modelos empatan."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

V, D, H, HIDDEN = 10_000, 32, 32, 25


def _sizes(*, directions=2, gates=4, bias=True, read=2 * H, table=V * D):
    lstm = directions * gates * ((D + H) * H + bias * H)
    output = read * HIDDEN + bias * HIDDEN + HIDDEN + bias
    values = {"tabla": table, "lstm": lstm, "salida": output, "total": table + lstm + output}
    return lambda: dict(values)


SIZES = Exercise(
    Card(
        id="de-que-esta-hecho",
        title="¿De qué está hecho?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="reconstruir un modelo a partir de su número de parámetros",
        hints=(
            "Cada compuerta es una capa que recibe la palabra y el estado anterior juntos, y tiene "
            "su sesgo.",
            "Una LSTM tiene cuatro compuertas, y aquí hay dos direcciones, cada una con las suyas.",
            "La capa oculta recibe los dos estados finales, uno por dirección. Si la suma no es la "
            "publicada, algo falta.",
        ),
    ),
    Task(
        function="model_sizes",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=_sizes(),
        mistakes=(
            Mistake(
                "una-direccion",
                "has contado una sola dirección: es bidireccional, y cada una tiene sus pesos",
                (_sizes(directions=1), _sizes(directions=1, read=H)),
            ),
            Mistake(
                "tres-compuertas",
                "has contado tres transformaciones en la LSTM: son tres compuertas y el candidato",
                (_sizes(gates=3),),
            ),
            Mistake(
                "sin-sesgos",
                "faltan los sesgos: uno por salida en cada capa y en cada compuerta",
                (_sizes(bias=False),),
            ),
            Mistake(
                "salida-de-una-direccion",
                "la capa oculta recibe los estados finales de las dos direcciones, uno detrás de "
                "otro",
                (_sizes(read=H),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

N, BOTH, ONLY_A, ONLY_B = 400, 280, 30, 14


def _tail(n, least):
    return sum(math.comb(n, k) for k in range(least + 1)) / 2**n


def _tie(*, a=(BOTH + ONLY_A) / N, b=(BOTH + ONLY_B) / N, disagree=ONLY_A + ONLY_B, p=None):
    two_sided = 2 * _tail(ONLY_A + ONLY_B, ONLY_B)
    values = {"acierto_a": a, "acierto_b": b, "discrepan": disagree}
    return lambda: values | {"p": two_sided if p is None else p}


_NORMAL = math.erfc((ONLY_A - ONLY_B) / math.sqrt(2 * (ONLY_A + ONLY_B)))

TIE = Exercise(
    Card(
        id="empatan-o-no",
        title="¿Empatan o no?",
        kind="comprender",
        difficulty=2,
        minutes=10,
        points=1,
        objective="aplicar la prueba de McNemar a dos modelos que leyeron los mismos textos",
        hints=(
            "El acierto de cada uno cuenta los que acierta él solo y los que aciertan los dos.",
            "La prueba solo mira los textos en los que discrepan.",
            "p = 2 · Σ_{k=0}^{m} C(n, k) / 2ⁿ, con n los desacuerdos y m el menor de los dos "
            "números. En Python, math.comb(n, k).",
        ),
    ),
    Task(
        function="compare_models",
        cases=(Case("los cuatro números del enunciado", lambda: ()),),
        reference=_tie(),
        mistakes=(
            Mistake(
                "una-cola",
                "falta multiplicar por dos: también cuenta que la ventaja hubiera sido del otro",
                (_tie(p=_tail(ONLY_A + ONLY_B, ONLY_B)),),
            ),
            Mistake(
                "con-el-mayor",
                "has sumado hasta el mayor de los dos: la cola llega hasta el menor",
                (
                    _tie(p=min(1.0, 2 * _tail(ONLY_A + ONLY_B, ONLY_A))),
                    _tie(p=2 * _tail(ONLY_A + ONLY_B, ONLY_A)),
                ),
            ),
            Mistake(
                "aproximada",
                "has usado la aproximación normal: se pide la prueba exacta, con las combinaciones",
                (_tie(p=_NORMAL),),
            ),
            Mistake(
                "aciertos-sueltos",
                "en los aciertos faltan los textos que aciertan los dos",
                (_tie(a=ONLY_A / N, b=ONLY_B / N),),
            ),
            Mistake(
                "discrepan-con-fallos",
                "discrepan solo en los textos que acierta uno y no el otro: los que fallan los dos "
                "no cuentan",
                (_tie(disagree=N - BOTH), _tie(disagree=N - BOTH, p=2 * _tail(N - BOTH, ONLY_B))),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
        reveals=False,
    ),
)
