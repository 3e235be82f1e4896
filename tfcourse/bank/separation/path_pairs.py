"""Ejercicio para comprender: cuántas parejas ahorra la atención por dos caminos."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Sequence:
    """Cuántos vectores tiene la secuencia y de cuántos son los trozos, que la dividen justa."""

    length: int
    size: int

    @property
    def chunks(self) -> int:
        padded = self.length + self.size
        return (padded - self.size) // (self.size // 2) + 1

    def pairs(self, chunks: int) -> dict[str, int]:
        """Los trozos, y las parejas que habría si fueran esos."""
        return {
            "trozos": chunks,
            "dentro": chunks * self.size**2,
            "entre": self.size * chunks**2,
        }

    def answer(self, **wrong):
        """Los cuatro números: los correctos, salvo los que se digan."""
        right = self.pairs(self.chunks) | {"entera": self.length**2}
        return lambda: right | wrong


PUBLISHED = _Sequence(length=600, size=20)

PATHS_CARD = Card(
    id="trozos-y-parejas",
    title="Trozos y parejas",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=1,
    objective="contar las parejas que compara la atención por dos caminos",
    hints=(
        "Con medio trozo de ceros por cada lado, la secuencia mide L + C, y cada trozo "
        "empieza C/2 después del anterior.",
        "Dentro: en cada trozo hay C · C parejas. Entre: por cada uno de los C lugares, N · N.",
        "Por los dos caminos se comparan menos parejas que con la secuencia entera, L · L.",
    ),
)


def _mistakes(sequence: _Sequence) -> tuple[Mistake, ...]:
    chunks, size, length = sequence.chunks, sequence.size, sequence.length
    apart = length // size
    answer, pairs = sequence.answer, sequence.pairs
    return (
        Mistake(
            "sin-solape",
            "has cortado sin solape: cada trozo empieza medio trozo después del anterior",
            (answer(**pairs(apart)), answer(trozos=apart), answer(**pairs(apart + 1))),
        ),
        Mistake(
            "sin-bordes",
            "te faltan los ceros de los bordes: con medio trozo por cada lado, el primer y el "
            "último vector también caen en dos trozos",
            (answer(**pairs(chunks - 2)), answer(trozos=chunks - 2)),
        ),
        Mistake(
            "un-trozo-de-mas",
            "has contado un trozo de más: si hay k medios trozos, caben k − 1 trozos enteros",
            (answer(**pairs(chunks + 1)), answer(trozos=chunks + 1)),
        ),
        Mistake(
            "un-solo-lugar",
            "entre trozos hay una secuencia por cada lugar: las parejas son C · N · N",
            (answer(entre=chunks**2), answer(entre=chunks * size)),
        ),
        Mistake(
            "un-solo-trozo",
            "dentro hay que contar todos los trozos: las parejas son N · C · C",
            (answer(dentro=size**2), answer(dentro=chunks * size)),
        ),
        Mistake(
            "mitad",
            "has contado cada pareja una vez: la atención compara cada consulta con todas las "
            "claves, también consigo misma",
            tuple(
                answer(entera=once)
                for once in (
                    length**2 // 2,
                    length * (length - 1) // 2,
                    length * (length + 1) // 2,
                )
            ),
        ),
    )


def _task(sequence: _Sequence) -> Task:
    return Task(
        function="path_pairs",
        cases=(Case("la secuencia del enunciado", lambda: ()),),
        reference=sequence.answer(),
        mistakes=_mistakes(sequence),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros trozos y otra secuencia, tan larga que partirla compensa, como dice una pista."""
    size = random.choice((10, 12, 16, 20, 24, 30, 40, 50))
    sequence = _Sequence(length=size * random.randint(12, 40), size=size)
    changes = (
        ("**600 vectores**", f"**{sequence.length} vectores**"),
        ("trozos de **20**", f"trozos de **{size}**"),
    )
    return Variant(Exercise(PATHS_CARD, _task(sequence)), changes)


PATHS = Exercise(PATHS_CARD, _task(PUBLISHED), _draw)
