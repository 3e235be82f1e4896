"""Ejercicio para comprender: qué pone cada casilla en la pérdida de SigLIP al empezar."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Start:
    """Cuántas parejas tiene el lote y de qué sesgo se parte."""

    batch: int
    bias: int

    def losses(self, *, both=True, share=None):
        """La pérdida sin sesgo y con él; `both` cuenta las casillas que no."""
        no = self.batch - 1 if both else 0
        scale = 1.0 if share is None else share
        plain = (1 + no) * math.log(2)
        based = math.log1p(math.exp(-self.bias)) + no * math.log1p(math.exp(self.bias))
        return scale * plain, scale * based

    def answer(self, **options):
        """Los tres números: las dos pérdidas y cuántas casillas hay que sí por cada cien."""
        share = 100 / self.batch
        plain, based = self.losses(**options)
        return lambda: (round(plain, 2), round(based, 2), round(share, 3))


PUBLISHED = _Start(batch=64, bias=-5)

BIAS_CARD = Card(
    id="sesgo-de-partida",
    title="Empezar diciendo que no",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="predecir la pérdida de SigLIP antes de dar un paso, y qué casillas la ponen",
    hints=(
        "Con todos los cosenos a cero, el logit de todas las casillas es el sesgo.",
        "Una casilla que sí pone ln(1 + e^(−b)); una que no, ln(1 + e^b).",
        "Por pareja hay una casilla que sí y N − 1 que no.",
    ),
)


def _mistakes(start: _Start) -> tuple[Mistake, ...]:
    plain, based = start.losses()
    share = round(100 / start.batch, 3)
    swapped = math.log1p(math.exp(start.bias))
    swapped += (start.batch - 1) * math.log1p(math.exp(-start.bias))
    return (
        Mistake(
            "solo-las-parejas",
            "has contado solo las parejas verdaderas: las casillas que no también suman",
            (start.answer(both=False),),
        ),
        Mistake(
            "media-de-las-casillas",
            "has promediado todas las casillas: se suman y se dividen entre las N parejas",
            (start.answer(share=1 / start.batch),),
        ),
        Mistake(
            "sin-promediar",
            "has sumado el lote entero: falta dividir entre las N parejas",
            (start.answer(share=start.batch),),
        ),
        Mistake(
            "sesgo-al-reves",
            "has cambiado el signo del sesgo: el modelo parte de decir que no, no de que sí",
            (lambda: (round(plain, 2), round(swapped, 2), share),),
        ),
        Mistake(
            "parte-de-uno",
            "se pide por cada cien casillas: multiplica por cien",
            (lambda: (round(plain, 2), round(based, 2), round(share / 100, 5)),),
        ),
    )


def _task(start: _Start) -> Task:
    return Task(
        function="starting_losses",
        cases=(Case("los números del enunciado", lambda: ()),),
        reference=start.answer(),
        outputs=("la pérdida sin sesgo", "la pérdida con él", "las casillas que sí"),
        mistakes=_mistakes(start),
        tolerance=0.011,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro lote y otro sesgo."""
    start = _Start(
        batch=random.choice([size for size in range(16, 257, 4) if size != PUBLISHED.batch]),
        bias=-random.choice((3, 4, 6, 7)),
    )
    changes = (
        ("**64 parejas**", f"**{start.batch} parejas**"),
        ("$b = -5$", f"$b = {start.bias}$"),
    )
    return Variant(Exercise(BIAS_CARD, _task(start)), changes)


BIAS = Exercise(BIAS_CARD, _task(PUBLISHED), _draw)
