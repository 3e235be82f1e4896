"""Ejercicio para comprender: qué lee el codificador de MAE, y cuánto se ahorra."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Picture:
    """El lado de la imagen y del parche, y cuántos de cada veinte parches se tapan."""

    side: int
    patch: int
    hidden: int

    @property
    def total(self) -> int:
        return (self.side // self.patch) ** 2

    def answer(self, *, kept=None, marked=1, pairs=True, asked=None, channels=3):
        """Lo que se cuenta; lo que se dé, equivocado."""
        seen = self.total * (20 - self.hidden) // 20 if kept is None else kept
        read, whole = seen + marked, self.total + marked
        missing = self.total - seen if asked is None else asked
        values = {
            "lee": read,
            "pinta": whole,
            "parejas": read**2 if pairs else read,
            "parejas_sin_tapar": whole**2 if pairs else whole,
            "números": missing * self.patch**2 * channels,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """El trozo del enunciado que lo dice."""
        return (
            f"de {self.side} × {self.side} píxeles y tres canales, en parches de {self.patch} × "
            f"{self.patch}, y se tapan {self.hidden} de cada 20 parches.",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "El token de clase no se tapa nunca: lo leen el codificador y el decodificador.",
            f"Hay {self.total} parches. En una capa cada token mira a todos los que entran en "
            "ella, y también a sí mismo.",
            "La pérdida solo cuenta los parches tapados, y de cada uno, todos sus números.",
        )


PICTURE = _Picture(224, 16, 15)
COVERED_CARD = Card(
    id="lo-que-no-se-lee",
    title="Lo que no se lee",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="predecir qué lee cada parte de un MAE y cuánto se ahorra",
    hints=PICTURE.hints(),
)


def _mistakes(one: _Picture) -> tuple[Mistake, ...]:
    left = one.total * one.hidden // 20
    return (
        Mistake(
            "al-reves",
            "el codificador lee los parches que se ven, y no los tapados",
            (one.answer(kept=left),),
        ),
        Mistake(
            "sin-el-de-clase",
            "falta el token de clase, que se lee siempre",
            (one.answer(marked=0),),
        ),
        Mistake(
            "parejas-de-uno",
            "cada token mira a todos: las parejas son el cuadrado",
            (one.answer(pairs=False),),
        ),
        Mistake(
            "toda-la-imagen",
            "la pérdida solo cuenta los parches tapados",
            (one.answer(asked=one.total),),
        ),
        Mistake(
            "un-canal",
            "cada píxel tiene tres números, uno por canal",
            (one.answer(channels=1),),
        ),
    )


def _task(one: _Picture) -> Task:
    return Task(
        function="covered",
        cases=(Case("la imagen del enunciado", lambda: ()),),
        reference=one.answer(),
        mistakes=_mistakes(one),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra imagen, en la que se tapan parches enteros."""
    patch = random.choice((6, 8, 10, 12, 14, 18, 20))
    one = _Picture(
        random.choice((10, 20, 30, 40)) * patch, patch, random.choice((11, 12, 13, 14, 16, 17, 18))
    )
    card = replace(COVERED_CARD, hints=one.hints())
    changes = tuple(zip(PICTURE.described(), one.described(), strict=True))
    return Variant(Exercise(card, _task(one)), changes)


COVERED = Exercise(COVERED_CARD, _task(PICTURE), _draw)
