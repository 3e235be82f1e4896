"""Ejercicio para comprender: qué le pasa al AUROC cuando cambian las puntuaciones."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import tex_comma

PUBLISHED = 0.8

CARD = Card(
    id="area-sin-contar",
    title="Predice antes de contar: el área",
    kind="comprender",
    difficulty=2,
    minutes=8,
    points=1,
    objective="deducir qué cambios de las puntuaciones mueven el AUROC, y cuáles no",
    hints=(
        "El AUROC solo mira quién va delante de quién en cada pareja.",
        "Una función creciente no cambia ningún orden; una decreciente los cambia todos.",
        "Si todos puntúan igual, todas las parejas son empates. Y el de la mitad al azar es la "
        "media de lo que gana cada clase de pareja.",
    ),
)


def _task(area) -> Task:
    right = {
        "doble": area,
        "al_reves": round(1 - area, 4),
        "iguales": 0.5,
        "casos_al_reves": round(1 - area, 4),
    }

    def answer(**changes):
        values = right | changes
        return lambda: dict(values)

    return Task(
        function="areas",
        cases=(Case("el área del enunciado", lambda: ()),),
        reference=lambda: dict(right),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
        mistakes=(
            Mistake(
                "la-escala-cuenta",
                "multiplicar y restar no cambia quién va delante: el área es la misma",
                (answer(doble=min(1.0, 2 * area)), answer(doble=1.0)),
            ),
            Mistake(
                "negativa",
                "un área no puede ser negativa: cada pareja que se ganaba ahora se pierde",
                (answer(al_reves=-area), answer(al_reves=-area, casos_al_reves=-area)),
            ),
            Mistake(
                "empates-perdidos",
                "los empates cuentan la mitad: ni se ganan todos ni se pierden todos",
                (answer(iguales=0.0), answer(iguales=1.0)),
            ),
            Mistake(
                "las-etiquetas-no-cuentan",
                "si los casos pasan a ser los otros, en cada pareja gana quien antes perdía",
                (answer(casos_al_reves=area),),
            ),
        ),
    )


def _draw(random: Random) -> Variant:
    """Otra área."""
    area = random.choice([part / 1000 for part in range(562, 980, 2) if part != 800])
    changes = ((f"AUROC de {_said(PUBLISHED)}", f"AUROC de {_said(area)}"),)
    return Variant(Exercise(CARD, _task(area)), changes)


def _said(area) -> str:
    return tex_comma(area).replace("{,}", ",")


ORDERS = Exercise(CARD, _task(PUBLISHED), _draw)
