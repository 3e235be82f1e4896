"""Ejercicio para comprender: qué se compara en un lote de InfoNCE."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Lot:
    """Un lote: cuántas parejas y cuántos negativos difíciles lleva cada consulta."""

    pairs: int
    hard: int

    def answer(self, *, own=False, private=False, queries=True, doubled=4, squared=True):
        """Lo que se cuenta; lo que se dé, equivocado."""
        documents = self.pairs * (1 + self.hard)
        seen = self.pairs + self.hard if private else documents
        cosines = self.pairs * (seen if squared else 1)
        values = {
            "negativos": seen - (0 if own else 1),
            "textos": documents + (self.pairs if queries else 0),
            "cosenos": cosines,
            "doble": doubled * cosines,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        kind = "negativo difícil" if self.hard == 1 else "negativos difíciles"
        return (
            f"lleva **{self.pairs}** parejas de consulta y documento",
            f"además, {self.hard} {kind} por consulta",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Los difíciles de una consulta están en el lote, así que hacen de negativos también "
            "para las demás.",
            f"En el lote hay {self.pairs} · (1 + {self.hard}) documentos, y cada consulta se "
            "compara con todos; uno de ellos es el suyo.",
            "Al doblar las parejas se doblan las consultas y también los documentos.",
        )


LOT = _Lot(pairs=48, hard=1)

LOTS_CARD = Card(
    id="lo-que-hay-en-un-lote",
    title="Lo que hay en un lote",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar negativos, lecturas y comparaciones de un lote de InfoNCE",
    hints=LOT.hints(),
)


def _mistakes(lot: _Lot) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "el-suyo-tambien",
            "el documento de la propia consulta no es un negativo",
            (lot.answer(own=True),),
        ),
        Mistake(
            "cada-uno-los-suyos",
            "los difíciles de las demás consultas también están en el lote: cuentan para todas",
            (lot.answer(private=True), lot.answer(private=True, doubled=2)),
        ),
        Mistake(
            "sin-las-consultas",
            "las consultas también son textos que hay que leer",
            (lot.answer(queries=False),),
        ),
        Mistake(
            "el-doble-es-el-doble",
            "con el doble de parejas hay el doble de consultas y el doble de documentos: se "
            "multiplica por cuatro",
            (lot.answer(doubled=2),),
        ),
    )


def _task(lot: _Lot) -> Task:
    return Task(
        function="in_a_batch",
        cases=(Case("el lote del enunciado", lambda: ()),),
        reference=lot.answer(),
        mistakes=_mistakes(lot),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro lote."""
    lot = _Lot(
        pairs=random.randrange(16, 513, 8),
        hard=random.choice((2, 3, 4, 5)),
    )
    card = replace(LOTS_CARD, hints=lot.hints())
    changes = tuple(zip(LOT.described(), lot.described(), strict=True))
    return Variant(Exercise(card, _task(lot)), changes)


LOTS = Exercise(LOTS_CARD, _task(LOT), _draw)
