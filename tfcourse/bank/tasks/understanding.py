"""Ejercicio para comprender: cuánto toca a cada tarea."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced

NAMES = ("plural", "tema", "corrige")


@dataclass(frozen=True)
class _Mix:
    """Los ejemplos de las tres tareas y el límite, que solo alcanza a la última."""

    sizes: tuple[int, int, int]
    limit: int

    @property
    def capped(self):
        return [min(size, self.limit) for size in self.sizes]

    @property
    def largest(self):
        """Los ejemplos de la última tarea, con sus millares separados."""
        return spaced(self.sizes[-1])

    @property
    def right(self):
        return _shares(_roots(self.capped))


def _roots(numbers):
    return [number**0.5 for number in numbers]


def _shares(numbers):
    return [number / sum(numbers) for number in numbers]


def _rates(values):
    return lambda: dict(zip(NAMES, values, strict=True))


RATES_CARD = Card(
    id="cuanto-a-cada-una",
    title="Cuánto toca a cada tarea",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="repartir la mezcla con un límite y una temperatura",
    hints=(
        "Primero el límite: ninguna tarea cuenta más de K ejemplos.",
        "Después la temperatura: cada cuenta se eleva a 1/T, y con T = 2 es la raíz cuadrada.",
        "Al final se divide entre la suma. Las raíces de 100, 900 y 1600 son exactas.",
    ),
)


def _mistakes(mix: _Mix) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-limite",
            f"te has saltado el límite: «corrige» cuenta como {mix.limit} ejemplos, no como "
            f"{mix.largest}",
            (_rates(_shares(_roots(mix.sizes))), _rates(_shares(mix.sizes))),
        ),
        Mistake(
            "sin-temperatura",
            "te falta la temperatura: antes de dividir, cada cuenta se eleva a 1/T",
            (_rates(_shares(mix.capped)),),
        ),
        Mistake(
            "elevada-a-t",
            "has elevado a T: se eleva a 1/T, que acerca las tareas en vez de separarlas",
            (_rates(_shares([size**2 for size in mix.capped])),),
        ),
        Mistake(
            "sin-normalizar",
            "no suman 1: falta dividir entre la suma de las tres",
            (_rates(_roots(mix.capped)),),
        ),
        Mistake(
            "raiz-despues",
            "has hecho la raíz de las proporciones y no suman 1: la raíz va antes de dividir",
            (_rates(_roots(_shares(mix.capped))),),
        ),
    )


def _task(mix: _Mix) -> Task:
    return Task(
        function="mixing_shares",
        cases=(Case("las tres tareas del enunciado", lambda: ()),),
        reference=_rates(mix.right),
        mistakes=_mistakes(mix),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros cuadrados de decenas, para que las raíces salgan de cabeza."""
    mix = _some_mix(random)
    while mix.right == PUBLISHED.right:
        mix = _some_mix(random)
    first_two = f"{mix.sizes[0]}, {mix.sizes[1]}"
    last_hint = RATES_CARD.hints[-1].replace("100, 900 y 1600", f"{first_two} y {mix.limit}")
    card = replace(RATES_CARD, hints=(*RATES_CARD.hints[:-1], last_hint))
    changes = (
        ("100, 900 y 10 000 ejemplos", f"{first_two} y {mix.largest} ejemplos"),
        ("$K = 1600$", f"$K = {mix.limit}$"),
    )
    return Variant(Exercise(card, _task(mix)), changes)


def _some_mix(random: Random) -> _Mix:
    small, medium, limit = sorted(random.sample(range(10, 100, 10), 3))
    return _Mix((small**2, medium**2, random.randrange(100, 140, 10) ** 2), limit**2)


PUBLISHED = _Mix((100, 900, 10_000), limit=1600)
RATES = Exercise(RATES_CARD, _task(PUBLISHED), _draw)
