"""Ejercicio para comprender: cuántos caminos de CTC escriben un texto."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

BLANK = "–"
# Las letras que se sortean, con su plural, que lo dice una pista.
PLURALS = {
    "a": "aes",
    "d": "des",
    "f": "efes",
    "l": "eles",
    "m": "emes",
    "n": "enes",
    "p": "pes",
    "r": "erres",
    "s": "eses",
    "t": "tes",
}
# Vectores y textos `dos` y `repetido` que se sortean, con las letras del enunciado publicado: de
# cada uno hay pocos caminos, y ninguno de los errores acierta por casualidad.
OTHER_TEXTS = (
    (4, "ab", "aa"),
    (4, "ab", "aab"),
    (4, "ab", "abb"),
    (4, "aba", "aa"),
    (4, "aba", "aab"),
    (4, "aba", "abb"),
    (5, "abab", "aab"),
    (5, "abab", "abb"),
    (5, "abab", "abba"),
    (5, "abab", "aaa"),
)


def _merged(symbols: str) -> str:
    return "".join(symbol for symbol, _ in groupby(symbols))


def _without_blanks(symbols: str) -> str:
    return symbols.replace(BLANK, "")


def _writes(path: str, text: str) -> bool:
    return _without_blanks(_merged(path)) == text


@dataclass(frozen=True)
class _Question:
    """Cuántos vectores hay, con qué dos letras y qué tres textos se escriben."""

    length: int
    letters: str
    two: str
    repeated: str

    @property
    def one(self) -> str:
        return self.letters[0]

    @cached_property
    def right(self) -> dict[str, int]:
        return self.counts(_writes)

    def counts(self, writes) -> dict[str, int]:
        """Cuántos caminos escriben cada texto, según lo que se entienda por escribirlo."""
        texts = {"uno": self.one, "dos": self.two, "repetido": self.repeated}
        paths = ["".join(path) for path in product(BLANK + self.letters, repeat=self.length)]
        return {key: sum(writes(path, text) for path in paths) for key, text in texts.items()}

    def answer(self, **wrong):
        """Los tres números: los correctos, salvo los que se digan."""
        return lambda: self.right | wrong


PUBLISHED = _Question(length=3, letters="ab", two="ab", repeated="aa")


def _card(question: _Question) -> Card:
    one = question.one
    return Card(
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
            f"Para «{one}» con {spell_number(question.length)} vectores, las {PLURALS[one]} tienen "
            "que ir seguidas: cuenta los tramos.",
            "Entre dos letras iguales hace falta un blanco, o se juntarían.",
        ),
    )


def _mistakes(question: _Question) -> tuple[Mistake, ...]:
    one, repeated, answer = question.one, question.repeated, question.answer
    no_blanks = question.counts(lambda path, text: BLANK not in path and _merged(path) == text)
    blanks_first = question.counts(lambda path, text: _merged(_without_blanks(path)) == text)
    once = question.counts(
        lambda path, text: _writes(path, text) and len(_without_blanks(path)) == len(text)
    )
    anywhere = question.counts(lambda path, text: _without_blanks(path) == text)
    in_a_row = question.counts(lambda path, text: path.strip(BLANK) == text)
    # Los que habría si todas sus letras fueran distintas y no hiciera falta ningún blanco.
    as_if_different = math.comb(question.length + len(repeated), 2 * len(repeated))
    return (
        Mistake(
            "sin-blancos",
            "has contado solo los caminos sin blancos: también valen los que los llevan",
            (
                answer(**no_blanks),
                answer(uno=no_blanks["uno"], dos=no_blanks["dos"]),
                answer(dos=no_blanks["dos"]),
            ),
        ),
        Mistake(
            "con-agujeros",
            f"has contado caminos con dos tramos de «{one}» y un blanco en medio: eso escribe "
            f"«{one}{one}»",
            (
                answer(uno=blanks_first["uno"]),
                answer(uno=blanks_first["uno"], repetido=blanks_first["repetido"]),
                answer(**blanks_first),
            ),
        ),
        Mistake(
            "repetidas-juntas",
            f"has contado caminos que escriben «{repeated}» sin un blanco en medio: se juntarían "
            f"en «{_merged(repeated)}»",
            (
                answer(repetido=anywhere["repetido"]),
                answer(repetido=as_if_different),
                answer(repetido=in_a_row["repetido"]),
            ),
        ),
        Mistake(
            "sin-repetir",
            "has contado solo los caminos en los que una letra dura un vector: puede durar más",
            (
                answer(**once),
                answer(uno=once["uno"], dos=once["dos"]),
                answer(uno=once["uno"]),
                answer(dos=once["dos"]),
            ),
        ),
    )


def _task(question: _Question) -> Task:
    return Task(
        function="ctc_paths",
        cases=(Case("los tres textos", lambda: ()),),
        reference=question.answer(),
        mistakes=_mistakes(question),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Más vectores, otras letras y otros textos con ellas."""
    length, two, repeated = random.choice(OTHER_TEXTS)
    letters = "".join(random.sample(list(PLURALS), 2))
    renamed = str.maketrans(PUBLISHED.letters, letters)
    question = _Question(length, letters, two.translate(renamed), repeated.translate(renamed))
    changes = (
        (_vectors(PUBLISHED), _vectors(question)),
        (_texts(PUBLISHED), _texts(question)),
        (_example(PUBLISHED), _example(question)),
    )
    return Variant(Exercise(_card(question), _task(question)), changes)


def _vectors(question: _Question) -> str:
    length, (first, second) = spell_number(question.length), question.letters
    return (
        f"Hay **{length} vectores**, dos letras, «{first}» y «{second}», y el blanco. ¿Cuántos "
        f"caminos de {length} símbolos"
    )


def _texts(question: _Question) -> str:
    return (
        f"`uno`, los que escriben «{question.one}»; `dos`, los que escriben «{question.two}», y "
        f"`repetido`, los que escriben «{question.repeated}»"
    )


def _example(question: _Question) -> str:
    one = question.one
    return f"«{one}» la escriben tres: «{one}{one}», «{one}{BLANK}» y «{BLANK}{one}»"


PATHS = Exercise(_card(PUBLISHED), _task(PUBLISHED), _draw)
