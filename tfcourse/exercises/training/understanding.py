"""Ejercicios para comprender: el primer paso de Adam y el reparto de T-Fixup."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

START, GRADIENT, RATE = (1.0, 2.0, 3.0), (50.0, -0.002, 0.0), 0.1
# Sin corregir, con β₁ = 0,9 y β₂ = 0,98: 0,1 g entre la raíz de 0,02 g².
UNCORRECTED = 0.1 / 0.02**0.5


def _signs(*steps):
    values = [start - RATE * step for start, step in zip(START, steps, strict=True)]
    return lambda: list(values)


FIRST_STEP = Exercise(
    Card(
        id="primer-paso-de-adam",
        title="El primer paso de Adam",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="saber cuánto se mueve cada parámetro en el primer paso de Adam",
        hints=(
            "Tras corregir, en el primer paso la media es el propio gradiente y la otra, su "
            "cuadrado.",
            "Un número entre la raíz de su cuadrado es 1 o −1: solo queda el signo. ¿Y si es 0?",
            "Se resta: con gradiente positivo el parámetro baja, exactamente lr.",
        ),
    ),
    Task(
        function="first_step",
        cases=(Case("los tres parámetros", lambda: ()),),
        reference=_signs(1, -1, 0),
        mistakes=(
            Mistake(
                "sin-dividir",
                "has restado lr por el gradiente: eso es el descenso de gradiente; Adam lo divide "
                "antes entre su tamaño",
                (_signs(*GRADIENT),),
            ),
            Mistake(
                "al-reves",
                "vas en el sentido del gradiente, y hay que ir en el contrario: con gradiente "
                "positivo el parámetro baja",
                (_signs(-1, 1, 0),),
            ),
            Mistake(
                "cero-se-mueve",
                "el tercer gradiente es 0: su media es 0 y el avance, 0 / ε = 0",
                (_signs(1, -1, 1), _signs(1, -1, -1)),
            ),
            Mistake(
                "sin-corregir",
                "te falta la corrección: las medias empiezan en cero, y en el primer paso se "
                "dividen entre 1 − β",
                (_signs(UNCORRECTED, -UNCORRECTED, 0),),
            ),
        ),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    ),
)

N = 16
ENCODER, DECODER = 0.67 * N**-0.25, (9 * N) ** -0.25


def _factors(encoder=ENCODER, decoder=DECODER, embeddings=DECODER, queries=1.0):
    values = {
        "valores_codificador": encoder,
        "red_decodificador": decoder,
        "embeddings": embeddings,
        "consultas_decodificador": queries,
    }
    return lambda: dict(values)


SCALES = Exercise(
    Card(
        id="reparto-de-t-fixup",
        title="Qué encoge T-Fixup, y cuánto",
        kind="comprender",
        difficulty=2,
        minutes=10,
        points=1,
        objective="aplicar las reglas de T-Fixup a cada matriz de un modelo profundo",
        hints=(
            "16 elevado a −1/4 es 1/2.",
            "El factor del decodificador lleva el 9 dentro del paréntesis: (9 · 16) elevado a "
            "−1/4, es decir, uno entre la raíz de 12.",
            "Los embeddings van con el decodificador. Consultas y claves no se tocan: su factor "
            "es 1.",
        ),
    ),
    Task(
        function="t_fixup_factors",
        cases=(Case("dieciséis bloques", lambda: ()),),
        reference=_factors(),
        mistakes=(
            Mistake(
                "nueve-fuera",
                "has dejado el 9 fuera de la potencia: 9 · N^(−1/4) agranda las matrices, y hay "
                "que encogerlas",
                (
                    _factors(decoder=9 * N**-0.25, embeddings=9 * N**-0.25),
                    _factors(decoder=9 * N**-0.25),
                ),
            ),
            Mistake(
                "pilas-cambiadas",
                "has cambiado las dos pilas: 0,67 es del codificador y 9, del decodificador",
                (
                    _factors(encoder=DECODER, decoder=ENCODER, embeddings=ENCODER),
                    _factors(encoder=DECODER, decoder=ENCODER),
                ),
            ),
            Mistake(
                "consultas-encogidas",
                "las consultas y las claves no se tocan: solo deciden a quién se mira",
                (_factors(queries=DECODER), _factors(queries=ENCODER)),
            ),
            Mistake(
                "embeddings",
                "los embeddings se encogen con el factor del decodificador, aunque los lea el "
                "codificador",
                (_factors(embeddings=1.0), _factors(embeddings=ENCODER)),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    ),
)
