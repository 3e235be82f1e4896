"""Ejercicio para comprender: cuántos tokens ocupa una imagen, y qué cuesta cada reparto."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _View:
    """La imagen, los parches, lo que se juntan y las anchuras."""

    side: int
    patch: int
    factor: int
    seen: int
    read: int
    words: int

    def answer(self, *, squared=2, joined=2, bias=True, layers=2, crossed=True):
        """Lo que se calcula; lo que se dé, equivocado."""
        patches = (self.side // self.patch) ** squared
        tokens = patches // self.factor**joined
        inside = self.seen * self.factor**joined
        numbers = inside * self.read + bias * self.read
        numbers += (layers - 1) * (self.read * self.read + bias * self.read)
        length = tokens + self.words
        pairs = length * (length + 1) // 2 if crossed else length * length
        values = {
            "parches": patches,
            "tokens": tokens,
            "ancho": inside,
            "proyector": numbers,
            "parejas": pairs,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"de **{self.side}** × {self.side} píxeles en parches de {self.patch} × {self.patch}",
            f"un vector de {self.seen} números por parche",
            f"cuadrados de {self.factor} × {self.factor} parches",
            f"vectores de {self.read} números",
            f"una pregunta de {self.words} tokens",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Los parches forman una rejilla: cuenta los de un lado y elévalos al cuadrado. Al "
            "juntar cuadrados, se reduce el lado de la rejilla, no solo el número.",
            "Lo que se junta se pone en fila: el vector de un token junto tiene los números de "
            "todos los parches de su cuadrado. Las dos capas del proyector llevan sesgo.",
            "En una atención causal, el token de lugar k mira a k tokens, él incluido: la suma "
            "1 + 2 + … + L es L (L + 1) / 2.",
        )


VIEW = _View(32, 4, 2, 48, 64, 9)
SIZES_CARD = Card(
    id="lo-que-ocupa-una-imagen",
    title="Lo que ocupa una imagen",
    kind="comprender",
    difficulty=1,
    minutes=10,
    points=2,
    objective="predecir cuántos tokens ocupa una imagen y qué cuestan",
    hints=VIEW.hints(),
)


def _mistakes(view: _View) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "una-fila",
            "esos son los parches de un lado: la rejilla tiene tantas filas como columnas",
            (view.answer(squared=1),),
        ),
        Mistake(
            "junta-una-fila",
            "has juntado solo a lo largo: en un cuadrado hay factor × factor parches",
            (view.answer(joined=1),),
        ),
        Mistake(
            "sin-sesgos", "las dos capas del proyector llevan sesgo", (view.answer(bias=False),)
        ),
        Mistake("una-capa", "el proyector tiene dos capas, no una", (view.answer(layers=1),)),
        Mistake(
            "sin-la-causal",
            "en una atención causal nadie mira a los que vienen después",
            (view.answer(crossed=False),),
        ),
    )


def _task(view: _View) -> Task:
    return Task(
        function="sizes",
        cases=(Case("lo del enunciado", lambda: ()),),
        reference=view.answer(),
        mistakes=_mistakes(view),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra imagen, otro reparto y otras anchuras."""
    view = VIEW
    while view == VIEW:
        patch, factor = random.choice((4, 8, 14, 16)), random.choice((2, 3, 4))
        view = _View(
            patch * factor * random.randint(2, 6), patch, factor, random.choice((96, 192, 384)),
            random.choice((128, 256, 576)), random.randint(6, 20),
        )  # fmt: skip
    card = replace(SIZES_CARD, hints=view.hints())
    changes = tuple(zip(VIEW.described(), view.described(), strict=True))
    return Variant(Exercise(card, _task(view)), changes)


SIZES = Exercise(SIZES_CARD, _task(VIEW), _draw)
