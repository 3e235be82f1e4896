"""Ejercicio de código: encontrar los tres fallos de quien escribe con marcas de tiempo."""

import math

import torch

from tfcourse.exercises.data import chance, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example

STOP = 0


def _fits(symbol, written, first):
    """Si ese símbolo puede ir detrás de lo escrito, sin mirar lo que prefiere el modelo."""
    marks, open_now = [], False
    for before in written:
        if before >= first:
            marks.append(before)
            open_now = not open_now
    after_a_mark = bool(written) and written[-1] >= first
    if symbol < first:
        return bool(marks) and (open_now or symbol == STOP)
    if not marks or not open_now:
        return not marks or symbol >= marks[-1]
    return not after_a_mark and symbol > marks[-1]


def _by_loops(logits, written, first):
    """Símbolo a símbolo, y con probabilidades en números de Python."""
    scores = logits.tolist()
    fits = [_fits(symbol, written, first) for symbol in range(len(scores))]
    top = max(score for score, fit in zip(scores, fits, strict=True) if fit)
    share = [math.exp(score - top) if fit else 0.0 for score, fit in zip(scores, fits, strict=True)]
    if math.fsum(share[first:]) > max(share[:first]):
        fits[:first] = [False] * first
    return torch.tensor(fits)


def _variant(
    *,
    still=False,
    single=False,
    raw=False,
    every_mark_opens=False,
    always_later=False,
    all_words=False,
    without_stop=False,
    may_stop=False,
    overflow=False,
):
    """Las reglas con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def compare(kept, first):
        marks, words = kept[first:], kept[without_stop:first]
        if overflow:
            return marks.exp().sum() > words.exp().max()
        together = marks.max() if single else marks.logsumexp(0)
        return together > (words.logsumexp(0) if all_words else words.max())

    def may_write(logits, written, first):
        is_mark = torch.arange(len(logits)) >= first
        if not written:
            return is_mark
        allowed = torch.ones_like(is_mark)
        last = [symbol for symbol in written if symbol >= first][-1]
        just_a_mark = written[-1] >= first
        opened = len(written) == 1 or written[-2] >= first or every_mark_opens
        allowed[first : last + (always_later or not (just_a_mark or still))] = False
        if just_a_mark and opened:
            allowed[first:] = False
        elif just_a_mark:
            allowed[1:first] = False
        kept = logits if raw else logits.masked_fill(~allowed, -math.inf)
        if compare(kept, first):
            allowed[may_stop:first] = False
        return allowed

    return may_write


FAULTS = {
    "still": "un tramo se puede cerrar en el mismo instante en que se abrió",
    "single": "comparas la marca más probable, y lo que cuenta es lo que suman entre todas",
    "raw": "al comparar cuentan también los símbolos que las otras reglas ya han prohibido",
}


def _case(written, seed, *, marks=0.0, past=0.0, best=0.8, stop=-3.0, n_words=4, n_marks=10):
    """Marcas parecidas entre sí; las que ya han pasado llevan `past`, y la mejor palabra, `best`.

    Lo escrito va sin el desplazamiento: las marcas son negativas, −1 la primera.
    """
    first = n_words + 1

    def make():
        generator = seeded(seed)
        logits = 0.1 * torch.randn(first + n_marks, generator=generator, dtype=torch.float64)
        real = [symbol if symbol > 0 else first - 1 - symbol for symbol in written]
        last = max([symbol for symbol in real if symbol >= first], default=first - 1)
        logits[first:] += marks
        logits[first : last + 1] += past
        logits[1:first] -= 2
        logits[1 + int(torch.randint(n_words, (), generator=generator))] = best
        logits[STOP] = stop
        return logits, real, first

    return make


def _tie():
    """Queda una sola marca, tan probable como la mejor palabra."""
    return torch.tensor([-1.0, 0.5, -2.0, 0.0, 0.0, 0.5]), [4, 2], 3


def _extreme():
    return torch.tensor([-1000.0, 1000.0, -900.0, 0.0, 0.0, 1000.0, 1000.0]), [3, 1, 2], 3


def _random_piece(seed, closed):
    """Unos cuantos tramos al azar, con el último abierto o cerrado."""

    def make():
        random = chance(seed)
        n_words, n_marks = random.randint(3, 6), random.randint(14, 18)
        first, written, now = n_words + 1, [], 0
        for _ in range(random.randint(1, 3)):
            now = random.randint(now, now + 2)
            written += [first + now, *random.choices(range(1, first), k=random.randint(1, 3))]
            now = random.randint(now + 1, now + 2)
            written.append(first + now)
        logits = [random.gauss(0, 1.5) for _ in range(first + n_marks)]
        return (
            torch.tensor(logits, dtype=torch.float64),
            written[: len(written) - (not closed)],
            first,
        )

    return make


TIME_MARKS = Exercise(
    Card(
        id="fallos-en-las-marcas",
        title="Un dictado que no avanza",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="encontrar, por lo que se escribe, los fallos de unas marcas de tiempo",
        hints=(
            "Sigue a mano lo que permite el código en tres momentos: dentro de un tramo, recién "
            "abierto y recién cerrado. ¿Puede repetirse la última marca? ¿Puede no quedar nada?",
            "El modelo reparte su duda entre marcas vecinas: ninguna gana a la palabra y todas "
            "juntas sí. En logaritmos, la suma es `logsumexp`.",
            "Antes de comparar, quita lo prohibido: `logits.masked_fill(~allowed, -torch.inf)`. Y "
            "la marca que cierra va después de la que abrió: `allowed[first:last + 1] = False`, "
            "pero solo dentro del tramo.",
        ),
    ),
    Task(
        function="may_write",
        cases=(
            Case("nada escrito todavía", _case([], 0)),
            Case("un tramo recién abierto", _case([-3], 1, marks=2.0)),
            Case("recién abierto con la primera marca", _case([-1], 13)),
            Case("dentro de un tramo, dudando entre marcas", _case([-2, 3], 2, past=-9.0)),
            Case(
                "dentro de un tramo, y las marcas que pesan ya han pasado",
                _case([-8, 2, 1], 3, marks=-2.0, past=6.0),
            ),
            Case("un tramo recién cerrado", _case([-1, 2, -4], 4, marks=-3.0, stop=1.0)),
            Case(
                "un tramo recién cerrado, y el modelo quiere abrir otro",
                _case([-1, 2, -4], 5, stop=0.5),
            ),
            Case("el segundo tramo, recién abierto", _case([-1, 2, 2, -4, -4], 6, marks=2.0)),
            Case("dentro del segundo tramo", _case([-1, 2, -4, -6, 1], 7, marks=-3.0)),
            Case("no quedan marcas", _case([-1, 2, -4, -10, 1], 8)),
            Case(
                "muchas palabras que suman más que las marcas",
                _case([-2, 3], 9, best=-0.2, n_words=100),
            ),
            Case("el fin es lo más probable", _case([-2, 3], 10, best=0.3, stop=4.0)),
            Case("empatan una marca y una palabra", _tie),
            Case("logits de 1000", _extreme),
            Case("un tramo abierto al azar", _random_piece(11, closed=False)),
            Case("un tramo cerrado al azar", _random_piece(12, closed=True)),
            example(torch.tensor([0.0, 0.2, 1.0, 0.5, 0.5, 0.5, 0.5]), [4, 1], 3),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, lambda *flags: _variant(**dict(zip(FAULTS, flags, strict=True)))),
            Mistake(
                "toda-marca-abre",
                "tomas por recién abierto lo que se acaba de cerrar: mira también lo que hay "
                "delante de la última marca",
                (_variant(every_mark_opens=True),),
            ),
            Mistake(
                "siempre-despues",
                "un tramo puede empezar justo donde acabó el anterior: la que tiene que ir después "
                "es la marca que cierra",
                (_variant(always_later=True),),
            ),
            Mistake(
                "suma-de-palabras",
                "has sumado también las palabras: las marcas, entre todas, se comparan con la "
                "palabra más probable",
                (_variant(all_words=True),),
            ),
            Mistake(
                "sin-el-fin",
                "al comparar falta el fin: cuenta entre las palabras",
                (_variant(without_stop=True),),
            ),
            Mistake(
                "deja-el-fin",
                "cuando ganan las marcas tampoco se puede escribir el fin",
                (_variant(may_stop=True),),
            ),
            Mistake(
                "desborda",
                "la exponencial de un logit de 1000 es infinita, y un infinito no gana a otro: "
                "compara logaritmos, con `logsumexp`",
                (_variant(overflow=True),),
            ),
        ),
        differentiable=False,
    ),
)
