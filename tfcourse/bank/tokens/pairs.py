"""Ejercicio para comprender: los pares de BPE, contados con lápiz y papel."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

CORPUS = {"lana": 5, "banana": 3, "lata": 4, "nata": 2}
ASKED = ("a_n", "n_a", "l_a", "t_a")


def _pairs_of(word):
    return [f"{one}_{two}" for one, two in zip(word, word[1:], strict=False)]


class _Counts:
    """Las cuentas de un corpus: correctas o con algún error, según lo que se le dé."""

    def __init__(self, corpus):
        self.corpus = corpus

    def __call__(self, weight=lambda word, n: n, per_word=lambda pairs: pairs):
        def pair_counts():
            counts = dict.fromkeys(ASKED, 0)
            for word, n in self.corpus.items():
                for pair in per_word(_pairs_of(word)):
                    if pair in counts:
                        counts[pair] += weight(word, n)
            return counts

        return pair_counts

    def letters(self):
        """Cuenta la segunda letra de cada par, esté donde esté."""
        return {p: sum(word.count(p[-1]) * n for word, n in self.corpus.items()) for p in ASKED}


PAIRS_CARD = Card(
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
        "Cada palabra cuenta tantas veces como aparece en el corpus: lo que veas en «lana» vale 5.",
        "Para «a·n»: en «lana» está una vez (5); en «banana», dos (2 · 3). En las otras, ninguna.",
    ),
)


def _mistakes(_counts: _Counts) -> tuple[Mistake, ...]:
    times = _counts.corpus["lana"]
    return (
        Mistake(
            "sin-frecuencias",
            f"has contado cada palabra una sola vez: una palabra que aparece {times} veces aporta "
            f"{times} veces sus pares",
            (_counts(weight=lambda word, n: 1),),
        ),
        Mistake(
            "una-vez-por-palabra",
            "has contado cada par una vez por palabra: en «banana», «a·n» está dos veces",
            (_counts(per_word=set),),
        ),
        Mistake(
            "solo-palabras",
            "has contado en cuántas palabras distintas está cada par: faltan sus frecuencias y "
            "las repeticiones dentro de «banana»",
            (_counts(weight=lambda word, n: 1, per_word=set),),
        ),
        Mistake(
            "letras-sueltas",
            "has contado letras, no pares: interesa cuántas veces va una justo detrás de otra",
            (_counts.letters,),
        ),
    )


def _task(corpus) -> Task:
    _counts = _Counts(corpus)
    return Task(
        function="pair_counts",
        cases=(Case("el corpus de cuatro palabras", lambda: ()),),
        reference=_counts(),
        mistakes=_mistakes(_counts),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Las mismas palabras, con otras frecuencias, todas distintas."""
    # Con «banana» bastante repetida, el par que se fusiona primero es uno solo: «n·a».
    banana = random.randint(4, 9)
    lana, lata, nata = random.sample([n for n in range(2, 10) if n != banana], 3)
    corpus = {"lana": lana, "banana": banana, "lata": lata, "nata": nata}
    hints = (
        PAIRS_CARD.hints[0],
        PAIRS_CARD.hints[1].replace("5", str(lana)),
        PAIRS_CARD.hints[2].replace("(5)", f"({lana})").replace("2 · 3", f"2 · {banana}"),
    )
    card = replace(PAIRS_CARD, hints=hints)
    changes = ((_row(CORPUS), _row(corpus)),)
    return Variant(Exercise(card, _task(corpus)), changes)


def _row(corpus) -> str:
    """La fila de la tabla del enunciado que dice cuántas veces aparece cada palabra."""
    return f"| {' | '.join(map(str, corpus.values()))} |"


PAIRS = Exercise(PAIRS_CARD, _task(CORPUS), _draw)
