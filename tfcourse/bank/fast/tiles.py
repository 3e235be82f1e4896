"""Ejercicio para comprender: cuántas teselas se calculan."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Grid:
    """La secuencia y el lado de la tesela, que la divide."""

    length: int
    tile: int

    @property
    def side(self) -> int:
        return self.length // self.tile

    def answer(self, *, whole=None, causal=None, masked=None, scores=None):
        """Lo que se cuenta; lo que se dé, equivocado."""
        half = self.side * (self.side + 1) // 2
        values = {
            "completa": whole or self.side**2,
            "causal": causal or half,
            "con_mascara": masked or self.side,
            "puntajes": scores or half * self.tile**2,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (f"Una secuencia mide $L = {self.length}$ y las teselas son de {self.tile} ×"
                f" {self.tile}.",)  # fmt: skip

    def hints(self) -> tuple[str, ...]:
        return (
            f"Por cada lado de la matriz caben {self.length} / {self.tile} = {self.side} teselas.",
            "Con máscara causal, la fila de teselas número n, contando desde 1, calcula n: las que "
            "caen enteras a la derecha son todo futuro.",
            "Las de la diagonal tienen una mitad visible y otra no, y se calculan enteras; ahí "
            "hace falta la máscara.",
        )


GRID = _Grid(length=4096, tile=128)

TILES_CARD = Card(
    id="teselas-que-se-calculan",
    title="Teselas que no se calculan",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar lo que ahorra saltarse el futuro, y dónde hace falta la máscara",
    hints=GRID.hints(),
)


def _tiles_mistakes(grid: _Grid) -> tuple[Mistake, ...]:
    side, tile, length = grid.side, grid.tile, grid.length
    half, below = side * (side + 1) // 2, side * (side - 1) // 2
    return (
        Mistake(
            "sin-diagonal",
            "en la causal te faltan las teselas de la diagonal, que también se calculan",
            (
                grid.answer(causal=below, scores=below * tile**2),
                grid.answer(causal=below),
            ),
        ),
        Mistake(
            "la-mitad-justa",
            "la causal no calcula la mitad justa: las teselas de la diagonal se calculan enteras",
            (
                grid.answer(causal=side**2 // 2, scores=length**2 // 2),
                grid.answer(causal=side**2 // 2),
            ),
        ),
        Mistake(
            "mascara-en-todas",
            "solo llevan máscara las teselas que tienen algo de futuro y algo de pasado: las de la "
            "diagonal",
            (grid.answer(masked=half), grid.answer(masked=side**2)),
        ),
        Mistake(
            "parejas-visibles",
            "en los puntajes has contado las parejas que se ven: se pregunta por los que se "
            "calculan, y de una tesela de la diagonal se calculan todos",
            (grid.answer(scores=length * (length + 1) // 2), grid.answer(scores=length**2 // 2)),
        ),
        Mistake(
            "posiciones",
            "has contado posiciones en vez de teselas",
            (grid.answer(whole=length**2),),
        ),
    )


def _tiles_task(grid: _Grid) -> Task:
    return Task(
        function="tiles_computed",
        cases=(Case("la secuencia del enunciado", lambda: ()),),
        reference=grid.answer(),
        mistakes=_tiles_mistakes(grid),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_tiles(random: Random) -> Variant:
    """Otra secuencia y otras teselas."""
    grid = _Grid(1024 * random.randint(5, 40), random.choice((64, 128, 256, 512)))
    card = replace(TILES_CARD, hints=grid.hints())
    changes = tuple(zip(GRID.described(), grid.described(), strict=True))
    return Variant(Exercise(card, _tiles_task(grid)), changes)


TILES = Exercise(TILES_CARD, _tiles_task(GRID), _draw_tiles)
