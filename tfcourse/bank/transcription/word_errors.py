"""Ejercicio para comprender: cuántos errores hay en una frase."""

from dataclasses import dataclass
from functools import cache
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

DIGITS = tuple(map(spell_number, range(10)))
# Cuántas palabras se dicen, y cuántos cambios, bajas y altas: nunca tantos como la mitad de las
# palabras, porque la parte que está mal y la que está bien serían la misma.
SIZES = (
    *((length, (1, 1, 1)) for length in (7, 8, 9)),
    *((length, counts) for length in (7, 9) for counts in ((2, 1, 1), (1, 2, 1), (1, 1, 2))),
)


@dataclass(frozen=True)
class Dictation:
    """Lo que alguien dice y lo que el modelo escribe."""

    said: tuple[str, ...]
    written: tuple[str, ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Cambios, bajas y altas: los del menor número de arreglos.

        Errores: `ValueError` si hay dos maneras de repartirlos.
        """
        (only,) = _fewest(self.said, self.written)
        return only

    def by_place(self) -> tuple[int, int, int]:
        """Cambios, bajas y altas de quien compara cada palabra con la de su sitio."""
        changed = sum(a != b for a, b in zip(self.said, self.written, strict=False))
        missing = len(self.said) - len(self.written)
        return changed, max(missing, 0), max(-missing, 0)

    def rate(self, *counts: int) -> float:
        """La tasa de error, con esos errores."""
        return sum(counts) / len(self.said)

    def told(self) -> tuple[str, str]:
        """Las dos frases, como las cita el enunciado."""
        return f"«{' '.join(self.said)}»", f"«{' '.join(self.written)}»"


@cache
def _fewest(said: tuple[str, ...], written: tuple[str, ...]) -> frozenset[tuple[int, int, int]]:
    """Las maneras de repartir en cambios, bajas y altas el menor número de arreglos."""
    if not said or not written:
        return frozenset({(0, len(said), len(written))})
    changed = said[0] != written[0]
    ways = {(c + changed, b, a) for c, b, a in _fewest(said[1:], written[1:])}
    ways |= {(c, b + 1, a) for c, b, a in _fewest(said[1:], written)}
    ways |= {(c, b, a + 1) for c, b, a in _fewest(said, written[1:])}
    least = min(map(sum, ways))
    return frozenset(way for way in ways if sum(way) == least)


DICTATION = Dictation(
    said=("tres", "ocho", "uno", "cinco", "dos"), written=("seis", "uno", "cinco", "dos", "dos")
)

CARD = Card(
    id="errores-por-palabra",
    title="Errores por palabra, a mano",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar cambios, bajas y altas, y sacar la tasa de error por palabra",
    hints=(
        "Escribe las dos frases una debajo de otra y deja huecos para que coincida lo más posible.",
        "Una baja es una palabra dicha que falta en lo escrito; un alta, una escrita de más.",
        "La tasa divide entre las palabras que se dijeron, no entre las escritas.",
    ),
)


def _answer(changes, missing, extra, rate):
    return lambda: {"cambios": changes, "bajas": missing, "altas": extra, "wer": rate}


def _mistakes(dictation: Dictation) -> tuple[Mistake, ...]:
    counts, by_place = dictation.counts, dictation.by_place()
    changes, missing, extra = counts
    rate, moved = dictation.rate(*counts), missing + extra
    swapped = {(moved, 0), (0, moved), (extra, missing)} - {(missing, extra)}
    return (
        Mistake(
            "posicion-a-posicion",
            "has comparado palabra a palabra por su sitio: tras una baja, todo se desplaza; "
            "busca el menor número de arreglos",
            (_answer(*by_place, dictation.rate(*by_place)), _answer(sum(counts), 0, 0, rate)),
        ),
        Mistake(
            "sin-altas",
            "no has contado la palabra de más: también es un error"
            if extra == 1
            else "no has contado las palabras de más: también son errores",
            (
                _answer(changes, missing, 0, dictation.rate(changes, missing)),
                _answer(changes, missing, 0, rate),
            ),
        ),
        Mistake(
            "bajas-por-altas",
            "has cambiado bajas por altas: la baja es lo que se dijo y falta",
            tuple(_answer(changes, *pair, rate) for pair in sorted(swapped)),
        ),
        Mistake(
            "acierto",
            "has dado la parte que está bien: la tasa es la de errores",
            (_answer(*counts, 1 - rate),),
        ),
        Mistake(
            "porcentaje",
            "has dado un porcentaje: se pide la fracción, entre 0 y 1",
            (_answer(*counts, 100 * rate),),
        ),
    )


def _task(dictation: Dictation) -> Task:
    return Task(
        function="word_errors",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_answer(*dictation.counts, dictation.rate(*dictation.counts)),
        mistakes=_mistakes(dictation),
        tolerance=5e-4,  # se admite la fracción redondeada a tres decimales
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro dictado, con otra respuesta y una sola manera de repartir sus errores."""
    length, counts = random.choice(SIZES)
    dictation = _misheard(random, length, *counts)
    while _fewest(dictation.said, dictation.written) != {counts}:
        dictation = _misheard(random, length, *counts)
    changes = tuple(zip(DICTATION.told(), dictation.told(), strict=True))
    return Variant(Exercise(CARD, _task(dictation)), changes)


def _misheard(random: Random, length: int, changes: int, missing: int, extra: int) -> Dictation:
    """Unas cifras al azar y lo que queda de ellas tras esos errores, que pueden anularse."""
    said = tuple(random.choices(DIGITS, k=length))
    touched = random.sample(range(length), changes + missing)
    lost = set(touched[changes:])
    heard = list(said)
    for place in touched[:changes]:
        heard[place] = random.choice([digit for digit in DIGITS if digit != said[place]])
    written = [word for place, word in enumerate(heard) if place not in lost]
    for _ in range(extra):
        written.insert(random.randint(0, len(written)), random.choice(DIGITS))
    return Dictation(said, tuple(written))


ERRORS = Exercise(CARD, _task(DICTATION), _draw)
