"""Ejercicio para comprender: cuántos productos hace la transformada rápida."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced


@dataclass(frozen=True)
class Sizes:
    """Cuántas muestras: `power`, potencia de dos; `odd` por `halves` veces dos, que no lo es."""

    power: int
    odd: int
    doubled: int

    @property
    def mixed(self) -> int:
        """El tamaño que se puede partir unas cuantas veces y acaba en un impar."""
        return self.odd * 2**self.doubled

    @property
    def levels(self) -> int:
        """Cuántas veces se parte el primero."""
        return self.power.bit_length() - 1

    def counts(self, **wrong):
        """Los tres números pedidos, salvo lo que diga quien se equivoca."""
        fast = self.power // 2 * self.levels
        found = {
            "rapida": fast,
            "ahorro": self.power**2 / fast,
            "a_medias": 2**self.doubled * self.odd**2 + self.mixed // 2 * self.doubled,
        }
        return lambda: found | wrong


FIRST = Sizes(power=1024, odd=5, doubled=4)

CARD = Card(
    id="cuantos-productos",
    title="Cuántos productos",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=2,
    objective="deducir cuántos productos hace la transformada rápida, aunque no se parta entera",
    hints=(
        "Llama C(N) a los productos con N muestras. Si N es par, hay dos transformadas de N/2 y "
        "N/2 giros. ¿Y si es impar?",
        "Con N potencia de dos se llega hasta C(1) = 0: cada nivel hace N/2 productos. ¿Cuántos "
        "niveles hay?",
        "Con un impar p multiplicado por 2 unas cuantas veces, la recursión para en trozos de p "
        "muestras, y cada uno cuesta los p² de la matriz.",
    ),
)


def _mistakes(sizes: Sizes) -> tuple[Mistake, ...]:
    fast = sizes.power // 2 * sizes.levels
    turns = sizes.mixed // 2 * sizes.doubled
    return (
        Mistake(
            "n-por-nivel",
            "has contado N productos por nivel: de cada pareja solo se gira la impar, así que "
            "son N/2",
            (
                sizes.counts(rapida=2 * fast, ahorro=sizes.power**2 / (2 * fast)),
                sizes.counts(rapida=2 * fast),
            ),
        ),
        Mistake(
            "la-matriz",
            "eso son los productos de la matriz, N²",
            (sizes.counts(rapida=sizes.power**2, ahorro=1.0), sizes.counts(rapida=sizes.power**2)),
        ),
        Mistake(
            "se-parte-hasta-uno",
            "en el tamaño que no es potencia de dos has seguido partiendo: un impar no se parte, "
            "y se usa la matriz",
            (sizes.counts(a_medias=turns),),
        ),
        Mistake(
            "sin-giros",
            "en el tamaño que no es potencia de dos faltan los giros de los niveles que sí se "
            "parten",
            (sizes.counts(a_medias=2**sizes.doubled * sizes.odd**2),),
        ),
        Mistake(
            "una-sola-matriz",
            "al final quedan varios trozos impares, y cada uno paga su matriz",
            (sizes.counts(a_medias=sizes.odd**2 + turns),),
        ),
    )


def _task(sizes: Sizes) -> Task:
    return Task(
        function="products",
        cases=(Case("los dos tamaños", lambda: ()),),
        reference=sizes.counts(),
        mistakes=_mistakes(sizes),
        tolerance=0.05,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra potencia de dos y otro tamaño que acaba en un impar."""
    sizes = FIRST
    while sizes == FIRST or sizes.power == FIRST.power or sizes.mixed == FIRST.mixed:
        sizes = Sizes(
            2 ** random.choice((6, 7, 8, 9, 11, 12)),
            random.choice((3, 5, 7, 9, 11)),
            random.choice((2, 3, 4, 5)),
        )
    changes = (
        (f"`a`, de **{spaced(FIRST.power)}**", f"`a`, de **{spaced(sizes.power)}**"),
        (f"`b`, de **{spaced(FIRST.mixed)}**", f"`b`, de **{spaced(sizes.mixed)}**"),
    )
    return Variant(Exercise(CARD, _task(sizes)), changes)


PRODUCTS = Exercise(CARD, _task(FIRST), _draw)
