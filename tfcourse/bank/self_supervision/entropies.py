"""Ejercicio para comprender: las dos entropías del maestro, y qué colapso señalan."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Teacher:
    """Cuántos prototipos hay, en cuántos grupos caen las imágenes y entre cuántos duda cada una."""

    prototypes: int
    groups: int
    doubts: int

    def answer(self, *, swapped=False, log=math.log, all_used=False, added=False, flat=None):
        """Lo que se deduce; lo que se dé, equivocado."""
        used = self.prototypes if all_used else self.groups * self.doubts
        of_mean, mean = log(used), log(self.doubts)
        if swapped:
            of_mean, mean = mean, of_mean
        values = {
            "de_la_media": of_mean,
            "media": mean,
            "información": of_mean + mean if added else of_mean - mean,
            "por_igual": log(self.prototypes) if flat is None else flat,
            "a_uno": 0.0,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"hay **{self.prototypes}** prototipos",
            f"reparte las imágenes en {self.groups} grupos igual de grandes",
            f"por igual entre {self.doubts} prototipos que son solo de su grupo",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "La entropía de repartir por igual entre n es ln n.",
            f"Al hacer la media de todas las imágenes, quedan usados {self.groups} × {self.doubts} "
            "prototipos, todos lo mismo.",
            "Lo que un reparto dice de su imagen es lo que baja la entropía al saber qué imagen "
            "es: la de la media menos la media.",
        )


TEACHER = _Teacher(64, 5, 3)
ENTROPIES_CARD = Card(
    id="dos-colapsos",
    title="Dos maneras de no decir nada",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=2,
    objective="deducir las dos entropías de un maestro y reconocer en ellas los dos colapsos",
    hints=TEACHER.hints(),
)


def _mistakes(one: _Teacher) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "cambiadas",
            "has cambiado las dos entropías: la de la media se calcula después de juntar las "
            "imágenes",
            (one.answer(swapped=True),),
        ),
        Mistake(
            "en-bits",
            "eso son bits: se pide con el logaritmo natural",
            (one.answer(log=math.log2),),
        ),
        Mistake(
            "todos-usados",
            "no se usan todos los prototipos: solo los de los grupos",
            (one.answer(all_used=True),),
        ),
        Mistake(
            "sumadas",
            "la información es la diferencia de las dos entropías, y no su suma",
            (one.answer(added=True),),
        ),
        Mistake(
            "por-igual-a-cero",
            "repartir por igual es lo que más entropía tiene, y no lo que menos",
            (one.answer(flat=0.0),),
        ),
    )


def _task(one: _Teacher) -> Task:
    return Task(
        function="entropies",
        cases=(Case("el maestro del enunciado", lambda: ()),),
        reference=one.answer(),
        mistakes=_mistakes(one),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro maestro, al que le sobran prototipos."""
    one = _Teacher(random.randrange(72, 400), random.randrange(6, 13), random.choice((2, 4, 5)))
    card = replace(ENTROPIES_CARD, hints=one.hints())
    changes = tuple(zip(TEACHER.described(), one.described(), strict=True))
    return Variant(Exercise(card, _task(one)), changes)


ENTROPIES = Exercise(ENTROPIES_CARD, _task(TEACHER), _draw)
