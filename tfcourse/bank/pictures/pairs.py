"""Ejercicio para comprender: las parejas de un lote de CLIP y lo que saldría al azar."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

FIRST_PLACES = 10


@dataclass(frozen=True)
class _Search:
    """Cuántas parejas tiene un lote y entre cuántos dibujos se busca."""

    batch: int
    drawings: int

    def answer(self, **wrong):
        """Los cuatro números: los correctos, salvo los que se digan."""
        right = {
            "cosines": self.batch**2,
            "negatives": self.batch - 1,
            "loss": round(math.log(self.batch), 3),
            "by_chance": FIRST_PLACES / self.drawings,
        }
        return lambda: tuple((right | wrong).values())


PUBLISHED = _Search(batch=64, drawings=250)

PAIRS_CARD = Card(
    id="parejas-de-un-lote",
    title="Las parejas de un lote",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="saber de qué se aprende en un lote y con qué hay que comparar lo que sale",
    hints=(
        "Cada imagen se compara con todos los textos del lote.",
        "De los textos del lote, solo uno es el suyo: los demás son negativos.",
        "Con todos los logits iguales, la probabilidad de acertar es 1 / N, y la pérdida, el "
        "logaritmo neperiano de N.",
    ),
)


def _mistakes(search: _Search) -> tuple[Mistake, ...]:
    batch, answer = search.batch, search.answer
    return (
        Mistake(
            "solo-las-parejas",
            "has contado solo las parejas: se calcula el coseno de cada imagen con cada texto",
            (answer(cosines=batch),),
        ),
        Mistake(
            "el-suyo-tambien",
            "has contado el texto de la propia imagen entre los negativos",
            (answer(negatives=batch),),
        ),
        Mistake(
            "dos-perdidas",
            "has sumado las dos entropías: la pérdida es su media",
            (answer(loss=round(2 * math.log(batch), 3)),),
        ),
        Mistake(
            "en-bits",
            "has usado el logaritmo en base 2: la entropía cruzada usa el neperiano",
            (answer(loss=round(math.log2(batch), 3)),),
        ),
        Mistake(
            "solo-el-primero",
            "ese es el azar de quedar el primero: entre los diez primeros hay diez sitios",
            (answer(by_chance=1 / search.drawings),),
        ),
    )


def _task(search: _Search) -> Task:
    return Task(
        function="count_matches",
        cases=(Case("los números del enunciado", lambda: ()),),
        reference=search.answer(),
        outputs=(
            "los cosenos del lote",
            "los negativos de una imagen",
            "la pérdida sin saber nada",
            "el acierto al azar entre los diez primeros",
        ),
        mistakes=_mistakes(search),
        tolerance=0.002,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro lote y otros dibujos, que dan un azar de pocos decimales."""
    search = _Search(
        batch=random.choice([size for size in range(16, 161, 8) if size != PUBLISHED.batch]),
        drawings=random.choice((40, 50, 80, 100, 125, 160, 200, 250, 400, 500, 1000)),
    )
    changes = (
        ("**64 parejas**", f"**{search.batch} parejas**"),
        ("**250 dibujos**", f"**{search.drawings} dibujos**"),
    )
    return Variant(Exercise(PAIRS_CARD, _task(search)), changes)


PAIRS = Exercise(PAIRS_CARD, _task(PUBLISHED), _draw)
