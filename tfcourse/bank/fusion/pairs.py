"""Ejercicio para comprender: cuántos pares de tokens se miran."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Tokens:
    """Los tokens de cada modalidad, y los que tienen las dos cuando se suman."""

    image: int
    sound: int
    summed: int

    def answer(self, **wrong):
        """Los cuatro números: los correctos, salvo los que se digan."""
        right = {
            "joined": (self.image + self.sound) ** 2,
            "apart": self.image**2 + self.sound**2,
            "crossed": 2 * self.image * self.sound,
            "added": self.summed**2,
        }
        return lambda: tuple((right | wrong).values())


PUBLISHED = _Tokens(image=6, sound=4, summed=5)

PAIRS_CARD = Card(
    id="pares-que-se-miran",
    title="Pares que se miran",
    kind="comprender",
    difficulty=2,
    minutes=8,
    points=1,
    objective="leer una máscara entre modalidades y saber lo que cuesta",
    hints=(
        "Con la concatenación, todos los tokens miran a todos.",
        "Por separado hay dos cuadrados; en la cruzada, dos rectángulos, uno por sentido.",
        "Al sumar, cada pareja de tokens es un solo token: cuenta cuántos quedan.",
    ),
)


def _mistakes(tokens: _Tokens) -> tuple[Mistake, ...]:
    image, sound, summed = tokens.image, tokens.sound, tokens.summed
    _, apart, crossed, _ = tokens.answer()()
    both = image + sound
    return (
        Mistake(
            "un-solo-sentido",
            "en la cruzada preguntan las dos: cuenta también los pares del otro sentido",
            (tokens.answer(crossed=image * sound),),
        ),
        Mistake(
            "propia-por-otra",
            "has cambiado los dos del medio: por separado son cuadrados, "
            f"{image} × {image} y {sound} × {sound}",
            (tokens.answer(apart=crossed, crossed=apart),),
        ),
        Mistake(
            "suma-pegada",
            f"la suma no pega las secuencias: deja una de {spell_number(summed)} tokens",
            (tokens.answer(added=(2 * summed) ** 2), tokens.answer(added=2 * summed**2)),
        ),
        Mistake(
            "tokens-y-no-pares",
            "has contado tokens: un par es alguien que pregunta y alguien que contesta",
            (
                tokens.answer(joined=both, apart=both, crossed=both, added=summed),
                tokens.answer(joined=both),
            ),
        ),
    )


def _task(tokens: _Tokens) -> Task:
    return Task(
        function="count_pairs",
        cases=(Case("las secuencias del enunciado", lambda: ()),),
        reference=tokens.answer(),
        outputs=("la concatenación", "por separado", "la cruzada", "la suma"),
        mistakes=_mistakes(tokens),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras secuencias, de longitudes distintas: por eso no se pueden sumar."""
    sound, image = sorted(random.sample(range(3, 13), 2))
    tokens = _Tokens(image, sound, summed=random.randint(3, 9))
    changes = (
        (_lengths(PUBLISHED), _lengths(tokens)),
        (_sum(PUBLISHED), _sum(tokens)),
    )
    return Variant(Exercise(PAIRS_CARD, _task(tokens)), changes)


def _lengths(tokens: _Tokens) -> str:
    return f"**{tokens.image} tokens de imagen y {tokens.sound} de sonido**"


def _sum(tokens: _Tokens) -> str:
    return (
        f"son de **{tokens.summed} tokens** (con {tokens.image} y {tokens.sound} no se pueden "
        "sumar)"
    )


PAIRS = Exercise(PAIRS_CARD, _task(PUBLISHED), _draw)
