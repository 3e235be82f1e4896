"""Ejercicios para comprender: los pares de BPE y el tamaño de una tabla, con lápiz y papel."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

CORPUS = {"lana": 5, "banana": 3, "lata": 4, "nata": 2}
ASKED = ("a_n", "n_a", "l_a", "t_a")


def _pairs_of(word):
    return [f"{one}_{two}" for one, two in zip(word, word[1:], strict=False)]


def _pair_counts(weight=lambda word, n: n, per_word=lambda pairs: pairs):
    def pair_counts():
        counts = dict.fromkeys(ASKED, 0)
        for word, n in CORPUS.items():
            for pair in per_word(_pairs_of(word)):
                if pair in counts:
                    counts[pair] += weight(word, n)
        return counts

    return pair_counts


def _letter_counts():
    """Cuenta la segunda letra de cada par, esté donde esté."""
    return {p: sum(word.count(p[-1]) * n for word, n in CORPUS.items()) for p in ASKED}


PAIRS = Exercise(
    Card(
        id="pares-bpe",
        title="El primer paso de BPE",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="contar los pares vecinos de un corpus como los cuenta BPE",
        hints=(
            "Separa las letras de cada palabra: b·a·n·a·n·a. ¿Cuántas veces ves «a» y justo "
            "después «n»?",
            "Cada palabra cuenta tantas veces como aparece en el corpus: lo que veas en «lana» "
            "vale 5.",
            "Para «a·n»: en «lana» está una vez (5); en «banana», dos (2 · 3). En las otras, "
            "ninguna.",
        ),
    ),
    Task(
        function="pair_counts",
        cases=(Case("el corpus de cuatro palabras", lambda: ()),),
        reference=_pair_counts(),
        mistakes=(
            Mistake(
                "sin-frecuencias",
                "has contado cada palabra una sola vez: una palabra que aparece 5 veces aporta 5 "
                "veces sus pares",
                (_pair_counts(weight=lambda word, n: 1),),
            ),
            Mistake(
                "una-vez-por-palabra",
                "has contado cada par una vez por palabra: en «banana», «a·n» está dos veces",
                (_pair_counts(per_word=set),),
            ),
            Mistake(
                "solo-palabras",
                "has contado en cuántas palabras distintas está cada par: faltan sus frecuencias y "
                "las repeticiones dentro de «banana»",
                (_pair_counts(weight=lambda word, n: 1, per_word=set),),
            ),
            Mistake(
                "letras-sueltas",
                "has contado letras, no pares: interesa cuántas veces va una justo detrás de otra",
                (_letter_counts,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

V, D, IDS = 8_000, 64, (17, 5, 17, 901, 5, 17)


def _sizes(**changes):
    right = {
        "parametros": V * D,
        "numeros_one_hot": len(IDS) * V,
        "numeros_embedding": len(IDS) * D,
        "filas_con_gradiente": len(set(IDS)),
    }
    return lambda: right | changes


TABLE = Exercise(
    Card(
        id="tabla",
        title="¿Cuánto ocupa una tabla?",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="distinguir el tamaño de la tabla, el de lo que sale de ella y lo que aprende",
        hints=(
            "La tabla tiene una fila por token del vocabulario; lo que sale de ella, una por token "
            "de la frase. ¿Cuál de las dos depende de la longitud de la frase?",
            "Un one-hot mide tanto como el vocabulario. Un embedding, D.",
            "Solo reciben gradiente las filas que se usan. El token 17 sale tres veces, pero es "
            "una sola fila.",
        ),
    ),
    Task(
        function="table_sizes",
        cases=(Case("una frase de 6 tokens", lambda: ()),),
        reference=_sizes(),
        mistakes=(
            Mistake(
                "gradiente-repetido",
                "has contado dos veces la misma fila: un token repetido suma sus gradientes en una "
                "sola",
                (_sizes(filas_con_gradiente=len(IDS)),),
            ),
            Mistake(
                "gradiente-en-toda-la-tabla",
                "las filas que no se usan en la frase no reciben gradiente: su derivada es cero",
                (_sizes(filas_con_gradiente=V),),
            ),
            Mistake(
                "tabla-de-la-frase",
                "la tabla guarda un vector por token del vocabulario, no por token de la frase",
                (
                    _sizes(parametros=len(IDS) * D),
                    _sizes(parametros=len(set(IDS)) * D),
                ),
            ),
            Mistake(
                "un-solo-vector",
                "has contado lo que ocupa un token, y la frase tiene seis",
                (
                    _sizes(numeros_one_hot=V, numeros_embedding=D),
                    _sizes(numeros_one_hot=V),
                    _sizes(numeros_embedding=D),
                ),
            ),
            Mistake(
                "intercambiados",
                "has intercambiado los dos tamaños: el one-hot mide V y el embedding, D",
                (
                    _sizes(
                        numeros_one_hot=len(IDS) * D,
                        numeros_embedding=len(IDS) * V,
                    ),
                ),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
