"""Ejercicio para comprender: cuántas veces lee la red cada imagen al dibujar y al entrenar."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Work:
    """Lo que se dibuja y lo que se entrenó."""

    images: int
    steps: int
    batch: int
    updates: int

    def answer(self, *, guided=2, corrected=2, spared=1, alone=1, trained=1, rounded=False):
        """Lo que se cuenta; lo que se dé, equivocado.

        `corrected` son las preguntas de un paso de Heun y `spared`, las que se ahorra en el último.
        """
        fit = (self.steps + spared) / corrected
        values = {
            "euler": guided * self.images * self.steps,
            "heun": guided * self.images * (corrected * self.steps - spared),
            "sin_exagerar": alone * self.images * self.steps,
            "pasos_de_heun": math.ceil(fit) if rounded else math.floor(fit),
            "entrenar": trained * self.batch * self.updates,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"Se dibujan **{self.images}** imágenes con {self.steps} pasos",
            f"con lotes de {self.batch} imágenes y {self.updates} actualizaciones",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Cuenta las pasadas de una sola imagen en un solo paso, y multiplica al final.",
            "Con guía 3 hacen falta dos velocidades de cada punto, con la clase y sin ella. Con "
            "guía 1, la que no sabe la clase se va de la fórmula.",
            f"Con Euler, {self.steps} pasos de una imagen cuestan {2 * self.steps} pasadas. Mira "
            "cuántas cuesta un paso de Heun, y cuántas el último. Y al entrenar, cada ejemplo "
            "lleva la clase o la lleva callada, pero pasa una vez.",
        )


WORK = _Work(48, 24, 64, 800)
CALLS_CARD = Card(
    id="cuantas-pasadas",
    title="Cuántas pasadas",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="predecir lo que cuesta dibujar con cada método y con guía",
    hints=WORK.hints(),
)


def _mistakes(work: _Work) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-la-guia",
            "con guía 3 cada velocidad cuesta dos pasadas: con la clase y sin ella",
            (work.answer(guided=1),),
        ),
        Mistake(
            "heun-como-euler",
            "Heun pregunta dos veces en cada paso: aquí y donde llegaría Euler",
            (work.answer(corrected=1, spared=0),),
        ),
        Mistake(
            "el-ultimo-tambien",
            "el último paso de Heun es de Euler: ahí pregunta una sola vez",
            (work.answer(spared=0),),
        ),
        Mistake(
            "la-de-uno",
            "con guía 1 queda solo la velocidad con la clase, y la otra no hay que calcularla",
            (work.answer(alone=2),),
        ),
        Mistake(
            "entrenar-con-las-dos",
            "al entrenar, cada ejemplo pasa una vez: con la clase o con la clase callada",
            (work.answer(trained=2),),
        ),
        Mistake(
            "redondeado-hacia-arriba",
            "un paso más de Heun no cabe: en total gastaría más que los de Euler",
            (work.answer(rounded=True),),
        ),
    )


def _task(work: _Work) -> Task:
    return Task(
        function="passes",
        cases=(Case("lo del enunciado", lambda: ()),),
        reference=work.answer(),
        mistakes=_mistakes(work),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras cuentas; los pasos, pares, para que sobre una pregunta y no quepa otro de Heun."""
    work = _Work(
        images=random.choice((20, 36, 60, 100)),
        steps=random.choice((8, 14, 20, 32, 40)),
        batch=random.choice((32, 96, 128)),
        updates=random.choice((300, 500, 1200)),
    )
    card = replace(CALLS_CARD, hints=work.hints())
    changes = tuple(zip(WORK.described(), work.described(), strict=True))
    return Variant(Exercise(card, _task(work)), changes)


CALLS = Exercise(CALLS_CARD, _task(WORK), _draw)
