"""Ejercicio para comprender: la calidad panóptica a mano."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.compare import same
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, listed

LIMIT = 0.5  # la IoU de la que tiene que pasar un acierto
TOLERANCE = 2e-3


@dataclass(frozen=True)
class Pairs:
    """Segmentos que hay, segmentos dichos y las IoU de las parejas: la última no es un acierto."""

    there: int
    said: int
    overlaps: tuple[float, ...]

    @property
    def hits(self) -> tuple[float, ...]:
        """Las IoU de los aciertos."""
        return tuple(overlap for overlap in self.overlaps if overlap > LIMIT)

    @property
    def halved(self) -> float:
        """TP + FP/2 + FN/2: la mitad de lo dicho más la mitad de lo que hay."""
        return (self.there + self.said) / 2

    def quality(self, overlaps=None, divided=None, averaged=None):
        """La PQ, la SQ y la RQ; con otros aciertos u otros divisores, las de quien se equivoca."""
        overlaps = self.hits if overlaps is None else overlaps
        divided, total = divided or self.halved, sum(overlaps)
        found = total / divided, total / (averaged or len(overlaps)), len(overlaps) / divided
        return lambda: found

    def told(self) -> str:
        """Los datos, como los da el enunciado."""
        return (
            f"**{spell_number(self.there)}** segmentos de una clase y un modelo dice "
            f"**{spell_number(self.said)}**. Las parejas que se parecen algo tienen estas IoU: "
            f"{listed([comma(overlap) for overlap in self.overlaps], separator='; ')}."
        )


PAIRS = Pairs(there=4, said=5, overlaps=(0.9, 0.7, 0.6, 0.45))


def _left(number: int) -> str:
    return "queda uno" if number == 1 else f"quedan {spell_number(number)}"


def _card(pairs: Pairs) -> Card:
    hits = len(pairs.hits)
    return Card(
        id="calidad-panoptica-a-mano",
        title="La calidad panóptica, a mano",
        kind="comprender",
        difficulty=2,
        minutes=8,
        points=1,
        objective="separar en la PQ lo que se acierta de lo bien que se dibuja",
        hints=(
            f"Una pareja es un acierto si su IoU **pasa** de 0,5: aquí, {spell_number(hits)}.",
            f"Lo dicho que no acierta es un falso positivo ({_left(pairs.said - hits)}); lo real "
            f"que nadie acierta, un falso negativo ({_left(pairs.there - hits)}). Los dos cuentan "
            "la mitad.",
            "SQ es la IoU media de los aciertos; RQ, los aciertos entre TP + FP/2 + FN/2; PQ es su "
            "producto.",
        ),
    )


def _mistakes(pairs: Pairs) -> tuple[Mistake, ...]:
    there, said, hits = pairs.there, pairs.said, len(pairs.hits)
    return (
        Mistake(
            "la-floja-cuenta",
            f"has contado como acierto la pareja de IoU {comma(pairs.overlaps[-1])}: tiene que "
            "pasar de 0,5",
            (pairs.quality(pairs.overlaps),),
        ),
        Mistake(
            "sin-mitades",
            "los falsos positivos y los falsos negativos cuentan la mitad cada uno",
            (pairs.quality(divided=there + said - hits),),
        ),
        Mistake(
            "sin-falsos-negativos",
            "has dividido entre lo que se dijo: lo que hay y nadie acierta también resta",
            (pairs.quality(divided=said),),
        ),
        Mistake(
            "sin-falsos-positivos",
            "has dividido entre lo que hay: lo que se dijo y no acierta también resta",
            (pairs.quality(divided=there),),
        ),
        Mistake(
            "sq-entre-todos",
            f"la SQ es la IoU media de los aciertos, que son {spell_number(hits)}",
            tuple(
                pairs.quality(averaged=everything)
                for everything in (len(pairs.overlaps), there, said)
            ),
        ),
    )


def _task(pairs: Pairs) -> Task:
    return Task(
        function="quality_by_hand",
        cases=(Case("los segmentos del enunciado", lambda: ()),),
        reference=pairs.quality(),
        outputs=("la PQ", "la SQ", "la RQ"),
        mistakes=_mistakes(pairs),
        tolerance=TOLERANCE,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras parejas y otras cantidades: de lo que hay y lo que se dice, nunca la misma.

    Si fueran iguales, dividir solo entre una de las dos cantidades daría lo correcto.
    """
    pairs = PAIRS
    while same(pairs.quality()(), PAIRS.quality()(), TOLERANCE):
        hits = random.randint(2, 4)
        there, said = random.sample(range(hits + 1, hits + 4), 2)
        good = sorted(random.sample(range(55, 100, 5), hits), reverse=True)
        weak = random.choice((35, 40, 45, 48))
        pairs = Pairs(there, said, tuple(overlap / 100 for overlap in (*good, weak)))
    return Variant(Exercise(_card(pairs), _task(pairs)), ((PAIRS.told(), pairs.told()),))


QUALITY = Exercise(_card(PAIRS), _task(PAIRS), _draw)
