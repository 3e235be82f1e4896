"""Ejercicio para comprender: los parámetros de LoRA y la memoria con la que se entrena."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

BYTES, SQUARE, WIDE = 4, 4, 2  # bytes por número y matrices de cada forma en un bloque


@dataclass(frozen=True)
class _Model:
    """Los tamaños del enunciado; `millions` son los parámetros del modelo."""

    millions: int
    blocks: int
    width: int
    hidden: int
    rank: int

    def answer(
        self, *, both=True, product=False, states=2, frozen=True, all_gradients=False, apart=False
    ):
        """Lo que se cuenta; lo que se dé, equivocado."""
        shapes = [(self.width, self.width)] * SQUARE + [(self.hidden, self.width)] * WIDE
        block = sum(
            self.rank * (rows * columns if product else columns + (rows if both else 0))
            for rows, columns in shapes
        )
        lora, whole = self.blocks * block, self.millions * 10**6
        kept = whole if frozen else 0
        more = whole if all_gradients else 0
        values = {
            "lora": lora,
            "entero": BYTES * (2 + states) * whole,
            "con_lora": BYTES * (kept + more + (2 + states) * lora),
            "fundido": BYTES * (whole + (lora if apart else 0)),
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"Un modelo de **{self.millions}** millones de parámetros tiene {self.blocks} bloques",
            f"cuatro matrices de {self.width} × {self.width} y dos de {self.hidden} × {self.width}",
            f"LoRA de rango {self.rank}, y los {self.millions} millones",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            f"Al lado de una matriz de {self.hidden} × {self.width} hay dos: una de "
            f"{self.rank} × {self.width} y otra de {self.hidden} × {self.rank}.",
            "De lo que se entrena se guardan cuatro números por parámetro: el propio peso, su "
            "gradiente y los dos de Adam. De lo que está quieto, uno.",
            "Para fundir, la corrección se suma a cada matriz, que sigue teniendo el mismo tamaño.",
        )


MODEL = _Model(millions=350, blocks=24, width=1024, hidden=4096, rank=8)

COST_CARD = Card(
    id="lo-que-ocupa-lora",
    title="Lo que ocupa LoRA",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar los parámetros de LoRA y los bytes con los que se entrena",
    hints=MODEL.hints(),
)


def _mistakes(model: _Model) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "una-de-las-dos",
            "al lado de cada matriz hay dos, A y B, y solo has contado la que lee la entrada",
            (model.answer(both=False),),
        ),
        Mistake(
            "por-toda-la-matriz",
            "has multiplicado el rango por toda la matriz: A y B son r · D y D' · r, que se suman",
            (model.answer(product=True),),
        ),
        Mistake(
            "un-solo-promedio",
            "Adam guarda dos números por cada parámetro que se entrena, y has contado uno",
            (model.answer(states=1),),
        ),
        Mistake(
            "sin-lo-congelado",
            "los pesos quietos no se entrenan, pero hay que tenerlos: el modelo los usa",
            (model.answer(frozen=False),),
        ),
        Mistake(
            "gradientes-de-todo",
            "los pesos quietos no guardan su gradiente: solo lo que se entrena lo necesita",
            (model.answer(all_gradients=True),),
        ),
        Mistake(
            "fundido-aparte",
            "al fundir, la corrección se suma a la matriz: no queda nada aparte",
            (model.answer(apart=True),),
        ),
    )


def _task(model: _Model) -> Task:
    return Task(
        function="lora_cost",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=model.answer(),
        mistakes=_mistakes(model),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro modelo."""
    width = random.choice((768, 1280, 1600, 2048))
    model = _Model(
        millions=random.choice((125, 500, 760, 1300)),
        blocks=random.choice((12, 18, 30, 36)),
        width=width,
        hidden=random.choice((3, 4)) * width,
        rank=random.choice((2, 4, 16, 32)),
    )
    card = replace(COST_CARD, hints=model.hints())
    changes = tuple(zip(MODEL.described(), model.described(), strict=True))
    return Variant(Exercise(card, _task(model)), changes)


COST = Exercise(COST_CARD, _task(MODEL), _draw)
