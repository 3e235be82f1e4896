"""Ejercicio para comprender: qué parámetros tiene una capa de expertos y cuáles usa un token."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Layer:
    """Los tamaños del enunciado."""

    d_model: int
    d_hidden: int
    experts: int
    chosen: int
    shared: int

    def answer(self, *, matrices=3, expert=None, router=True, shared=True, width=None, used=None):
        """Lo que se cuenta; lo que se dé, equivocado."""
        one = expert or matrices * self.d_model * self.d_hidden
        table = self.d_model * self.experts if router else 0
        always = self.shared if shared else 0
        used = self.chosen + always if used is None else used
        values = {
            "experto": one,
            "capa": (self.experts + always) * one + table,
            "activos": used * one + table,
            "densa": width or used * self.d_hidden,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"lee vectores de **{self.d_model}** y tiene {self.experts} expertos",
            f"de anchura {self.d_hidden}, de los que cada token usa {self.chosen}",
            f"y {self.shared} compartidos, de la misma anchura",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Una red con compuerta tiene tres matrices: la de la compuerta, la de entrada y la de "
            "salida. Ninguna lleva sesgo.",
            f"El encaminador es otra matriz, de {self.d_model} × {self.experts}, y la usan todos "
            "los tokens. Los compartidos no se eligen: no están en ella.",
            f"Por cada token pasan {self.chosen} elegidos y {self.shared} compartidos. Pegados, "
            "son una sola red con compuerta cuya anchura es la suma de las suyas.",
        )


LAYER = _Layer(d_model=2048, d_hidden=1408, experts=64, chosen=6, shared=2)

ACTIVE_CARD = Card(
    id="activos-y-parados",
    title="Los que trabajan y los que esperan",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar los parámetros de una capa de expertos y los que usa cada token",
    hints=LAYER.hints(),
)


def _mistakes(layer: _Layer) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "dos-matrices",
            "te falta una matriz: con compuerta son tres, y no dos",
            (layer.answer(matrices=2),),
        ),
        Mistake(
            "sin-encaminador",
            "falta la matriz del encaminador, que también es de la capa y la usan todos los tokens",
            (layer.answer(router=False),),
        ),
        Mistake(
            "sin-compartidos",
            "faltan los compartidos, por los que pasan todos los tokens",
            (layer.answer(shared=False),),
        ),
        Mistake(
            "todos-trabajan",
            "has hecho pasar a cada token por todos los expertos: pasa por los elegidos y por los "
            "compartidos",
            (
                layer.answer(used=layer.experts + layer.shared),
                layer.answer(used=layer.experts),
            ),
        ),
        Mistake(
            "anchura-de-uno",
            "la red densa que gasta lo mismo es tan ancha como los que trabajan, juntos",
            (layer.answer(width=layer.d_hidden), layer.answer(width=layer.chosen * layer.d_hidden)),
        ),
    )


def _task(layer: _Layer) -> Task:
    return Task(
        function="expert_parameters",
        cases=(Case("la capa del enunciado", lambda: ()),),
        reference=layer.answer(),
        mistakes=_mistakes(layer),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra capa. Ningún tamaño coincide con otro, para que cada error se distinga."""
    layer = _Layer(
        d_model=random.choice((1024, 3072, 5120)),
        d_hidden=random.choice((512, 768, 1536)),
        experts=random.choice((48, 96, 128, 160)),
        chosen=random.choice((4, 5, 8)),
        shared=random.choice((1, 2, 3)),
    )
    card = replace(ACTIVE_CARD, hints=layer.hints())
    changes = tuple(zip(LAYER.described(), layer.described(), strict=True))
    return Variant(Exercise(card, _task(layer)), changes)


ACTIVE = Exercise(ACTIVE_CARD, _task(LAYER), _draw)
