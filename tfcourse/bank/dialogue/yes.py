"""Ejercicio para comprender: qué se sabe de quien contesta sí o no, y qué esconde su acierto."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Talk:
    """Cuántas preguntas hay de algo que está y de algo que no, y en cuántas dice que sí."""

    present: int
    absent: int
    yes_present: int
    yes_absent: int

    def answer(self, *, invented=None, precision=None, blind=None, said=None, hits=None):
        """Lo que se calcula; lo que se dé, equivocado."""
        total, said_yes = self.present + self.absent, self.yes_present + self.yes_absent
        right = self.yes_present + self.absent - self.yes_absent
        values = {
            "acierto": right / total if hits is None else hits,
            "se_inventa": self.yes_absent / self.absent if invented is None else invented,
            "precision": self.yes_present / said_yes if precision is None else precision,
            "dice_si": said_yes / total if said is None else said,
            "sin_mirar": (max(self.present, self.absent) / total if blind is None else blind),
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"**{self.present}** son de una figura que está y {self.absent}, de una que no",
            f"dice «sí» en {self.yes_present} de las primeras y en {self.yes_absent} de las "
            "segundas",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Haz una tabla de dos por dos: si está o no, y si dice que sí o que no. Todo sale de "
            "ahí.",
            "Lo que se inventa se cuenta entre las preguntas por algo que no está; la precisión, "
            "entre las veces que dice que sí.",
            "Quien no mira y sabe cuántas hay de cada clase contesta siempre lo mismo: lo más "
            "común.",
        )


TALK = _Talk(120, 80, 108, 36)
YES_CARD = Card(
    id="quien-dice-que-si",
    title="Quien dice que sí",
    kind="comprender",
    difficulty=1,
    minutes=10,
    points=2,
    objective="calcular lo que se inventa un modelo, aparte de su acierto",
    hints=TALK.hints(),
)


def _mistakes(talk: _Talk) -> tuple[Mistake, ...]:
    total = talk.present + talk.absent
    said = talk.yes_present + talk.yes_absent
    return (
        Mistake(
            "inventa-entre-los-sies",
            "eso es qué parte de sus síes es falsa: lo que se inventa se cuenta entre las "
            "preguntas por algo que no está",
            (talk.answer(invented=talk.yes_absent / said),),
        ),
        Mistake(
            "inventa-entre-todas",
            "las preguntas por algo que está no pueden ser inventos: no cuentan debajo",
            (talk.answer(invented=talk.yes_absent / total),),
        ),
        Mistake(
            "precision-de-los-presentes",
            "eso es la exhaustividad: la precisión se cuenta entre las veces que dice que sí",
            (talk.answer(precision=talk.yes_present / talk.present),),
        ),
        Mistake(
            "sin-mirar-es-la-mitad",
            "las dos clases no son iguales: quien no mira contesta siempre la más común",
            (talk.answer(blind=0.5),),
        ),
        Mistake(
            "acierto-de-los-sies",
            "acertar es también decir que no cuando no está",
            (talk.answer(hits=talk.yes_present / total),),
        ),
    )


def _task(talk: _Talk) -> Task:
    return Task(
        function="counted",
        cases=(Case("lo del enunciado", lambda: ()),),
        reference=talk.answer(),
        mistakes=_mistakes(talk),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras cuentas: ni las dos clases iguales ni nadie perfecto."""
    talk = TALK
    while talk == TALK or talk.present == talk.absent:
        present, absent = random.randrange(60, 200, 20), random.randrange(60, 200, 20)
        talk = _Talk(
            present, absent, present - random.randint(4, 15), random.randint(10, absent // 2)
        )
    card = replace(YES_CARD, hints=talk.hints())
    changes = tuple(zip(TALK.described(), talk.described(), strict=True))
    return Variant(Exercise(card, _task(talk)), changes)


ALWAYS_YES = Exercise(YES_CARD, _task(TALK), _draw)
