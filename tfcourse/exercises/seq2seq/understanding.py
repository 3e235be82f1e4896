"""Ejercicios para comprender: qué guarda cada modelo y la atención con lápiz y papel."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# Palabras de la frase, tamaño del estado de cada dirección y número de direcciones.
SENTENCES = {"A": (10, 128, 1), "B": (10, 128, 2), "C": (40, 128, 2)}


def _counts(fixed, attention):
    def numbers_kept():
        counts = {}
        for name, sentence in SENTENCES.items():
            counts[f"fijo_{name}"] = fixed(*sentence)
            counts[f"atencion_{name}"] = attention(*sentence)
        return counts

    return numbers_kept


def _one_vector(t_x, d_hidden, directions):
    return d_hidden * directions


def _one_vector_per_word(t_x, d_hidden, directions):
    return t_x * d_hidden * directions


MEMORY = Exercise(
    Card(
        id="memoria",
        title="¿Cuánto cabe en la memoria?",
        kind="comprender",
        difficulty=1,
        minutes=5,
        points=1,
        objective="ver en números por qué el contexto fijo es un cuello de botella",
        hints=(
            "El contexto fijo es un solo vector, lea la frase que lea. ¿Cuántos vectores conserva "
            "la atención?",
            "En un codificador bidireccional, el estado de cada palabra une dos: el de ida y el de "
            "vuelta. ¿Cuánto mide entonces?",
            "Para la frase B, el contexto fijo mide 2 · 128. La atención conserva uno de esos "
            "vectores por palabra.",
        ),
    ),
    Task(
        function="numbers_kept",
        cases=(Case("tres frases", lambda: ()),),
        reference=_counts(_one_vector, _one_vector_per_word),
        mistakes=(
            Mistake(
                "una-sola-direccion",
                "has contado una sola dirección: con un codificador bidireccional cada vector une "
                "el estado de ida y el de vuelta, así que mide el doble",
                (_counts(lambda t, d, n: d, lambda t, d, n: t * d),),
            ),
            Mistake(
                "fijo-crece",
                "has multiplicado el contexto fijo por el número de palabras, y es un solo vector "
                "por larga que sea la frase: ahí está el cuello de botella",
                (
                    _counts(_one_vector_per_word, _one_vector_per_word),
                    _counts(lambda t, d, n: t * d, lambda t, d, n: t * d),
                ),
            ),
            Mistake(
                "atencion-no-crece",
                "has contado un solo vector para la atención: conserva uno por cada palabra de la "
                "entrada",
                (_counts(_one_vector, _one_vector), _counts(lambda t, d, n: d, lambda t, d, n: d)),
            ),
            Mistake(
                "solo-pesos",
                "has contado los pesos α, uno por palabra, pero lo que la atención conserva es el "
                "vector entero de cada palabra",
                (
                    _counts(_one_vector, lambda t, d, n: t),
                    _counts(lambda t, d, n: d, lambda t, d, n: t),
                ),
            ),
            Mistake(
                "intercambiados",
                "has intercambiado las dos columnas: el contexto fijo es el que no depende de la "
                "longitud de la frase",
                (_counts(_one_vector_per_word, _one_vector),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

SCORES = (2.0, 0.0, 1.0)
STATES = ((1.0, 0.0), (0.0, 2.0), (-1.0, 4.0))


def _weighted(weights):
    return [
        sum(w * state[axis] for w, state in zip(weights, STATES, strict=True)) for axis in (0, 1)
    ]


def _normalised(values):
    return [value / sum(values) for value in values]


def _powers(base=math.e):
    return [base**score for score in SCORES]


def _answer(weights, context=None):
    return lambda: (list(weights), _weighted(weights) if context is None else list(context))


_ALPHA = _normalised(_powers())
_SUM = [sum(state[axis] for state in STATES) for axis in (0, 1)]
_SIGMOIDS = [1 / (1 + math.exp(-score)) for score in SCORES]

BY_HAND = Exercise(
    Card(
        id="a-mano",
        title="Atención a mano",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="recorrer sin código el camino de los puntajes a los pesos y al contexto",
        hints=(
            "Primero los pesos: eleva e a cada puntaje y divide entre la suma de los tres.",
            "Comprueba que los tres pesos suman 1. Después multiplica cada estado por su peso y "
            "suma componente a componente.",
            "e² ≈ 7,389, e⁰ = 1, e¹ ≈ 2,718: su suma es 11,107. El primer peso es 7,389 / 11,107.",
        ),
    ),
    Task(
        function="by_hand",
        cases=(Case("la frase de tres palabras", lambda: ()),),
        reference=_answer(_ALPHA),
        outputs=("alpha", "c"),
        mistakes=(
            Mistake(
                "sin-exponencial",
                "has dividido los puntajes entre su suma: el softmax eleva antes e a cada puntaje",
                (_answer(_normalised(SCORES)),),
            ),
            Mistake(
                "solo-el-mayor",
                "has dado todo el peso al puntaje mayor: el softmax reparte, y también las otras "
                "palabras reciben algo",
                (_answer([1, 0, 0]),),
            ),
            Mistake(
                "base-dos",
                "has usado potencias de 2: el softmax usa potencias de e ≈ 2,718",
                (_answer(_normalised(_powers(2))),),
            ),
            Mistake(
                "sin-normalizar",
                "te falta dividir entre la suma: tus pesos no suman 1",
                (_answer(_powers()), _answer(_powers(), _weighted(_ALPHA))),
            ),
            Mistake(
                "sigmoide",
                "has aplicado la sigmoide a cada puntaje por separado: así los pesos no suman 1",
                (_answer(_SIGMOIDS),),
            ),
            Mistake(
                "contexto-sin-pesos",
                "los pesos son correctos, pero has sumado los estados sin multiplicar cada uno por "
                "su peso",
                (_answer(_ALPHA, _SUM),),
            ),
            Mistake(
                "contexto-promediado",
                "los pesos son correctos, pero el contexto es la media de los estados por igual: "
                "cada estado va multiplicado por su peso",
                (
                    _answer(_ALPHA, [total / 3 for total in _SUM]),
                    _answer(_ALPHA, [total / 3 for total in _weighted(_ALPHA)]),
                ),
            ),
        ),
        tolerance=4e-3,  # se admite redondear también los pasos intermedios
        differentiable=False,
        reveals=False,
    ),
)
