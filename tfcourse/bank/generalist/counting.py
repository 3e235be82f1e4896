"""Ejercicio para comprender: cuántos pasos de un juego caben en la ventana de un agente."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

PATCH = 16  # no se sortea: con él está hecho también el ejemplo del enunciado


@dataclass(frozen=True)
class _Robot:
    """Lo que ve el robot en un paso, los componentes de su acción y la ventana."""

    image: tuple[int, int]
    angles: int
    action: int
    window: int

    @property
    def sides(self) -> tuple[int, int]:
        """Parches que hay en cada lado de la imagen."""
        rows, columns = self.image
        return rows // PATCH, columns // PATCH

    def step(self, patches=None, separator=1, action=None) -> int:
        """Los tokens de un paso: los correctos, salvo lo que se diga."""
        return (
            (patches or math.prod(self.sides)) + self.angles + separator + (action or self.action)
        )

    def answer(self, step=None, steps=None, learnt=None, action=None):
        """Los tres números: los que salen de lo que se diga; lo demás, correcto."""
        step = step or self.step()
        steps = steps or self.window // step
        learnt = learnt or steps * (action or self.action)
        return lambda: (step, steps, learnt)


PUBLISHED = _Robot(image=(64, 80), angles=3, action=2, window=1024)

WINDOW_CARD = Card(
    id="pasos-en-la-ventana",
    title="Los pasos que caben",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="saber cuánto ocupa un paso y de qué tokens se aprende",
    hints=(
        "La observación son los parches, filas por columnas, y los números.",
        "Entre la observación y la acción va un separador, que también ocupa.",
        "Se aprenden solo los tokens de acción: los que hay en un paso, por los pasos enteros "
        "que caben.",
    ),
)


def _mistakes(robot: _Robot) -> tuple[Mistake, ...]:
    answer, step = robot.answer, robot.step
    rows, columns = robot.sides
    _, steps, _ = answer()()
    return (
        Mistake(
            "sin-separador",
            "en un paso falta el separador que va delante de la acción",
            (answer(step(separator=0)),),
        ),
        Mistake(
            "un-lado",
            "has dividido un solo lado de la imagen: los parches son filas por columnas",
            (answer(step(patches=rows)), answer(step(patches=columns))),
        ),
        Mistake(
            "una-sola-accion",
            f"la acción tiene {spell_number(robot.action)} componentes, y cada uno es un token",
            (answer(step(action=1), action=1),),
        ),
        Mistake(
            "se-aprende-todo",
            "de lo que se ve no se aprende a predecir nada: cuenta solo las acciones",
            (answer(learnt=steps * step()), answer(learnt=robot.window)),
        ),
        Mistake(
            "paso-a-medias",
            "has contado un paso que no cabe entero",
            (answer(steps=steps + 1),),
        ),
    )


def _task(robot: _Robot) -> Task:
    return Task(
        function="count_steps",
        cases=(Case("el robot del enunciado", lambda: ()),),
        reference=robot.answer(),
        outputs=("los tokens de un paso", "los pasos enteros", "los que se aprenden"),
        mistakes=_mistakes(robot),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra imagen, otros números, otra acción y otra ventana, en la que no caben pasos justos."""
    robot = PUBLISHED
    while robot.answer()() == PUBLISHED.answer()() or robot.window % robot.step() == 0:
        robot = _Robot(
            image=tuple(PATCH * patches for patches in random.sample(range(3, 8), 2)),
            angles=random.randint(2, 7),
            action=random.randint(2, 4),
            window=random.choice((512, 1024, 2048)),
        )
    changes = (
        (_image(PUBLISHED), _image(robot)),
        (_angles(PUBLISHED), _angles(robot)),
        (_action(PUBLISHED), _action(robot)),
        ("La ventana es de 1024 tokens", f"La ventana es de {robot.window} tokens"),
    )
    return Variant(Exercise(WINDOW_CARD, _task(robot)), changes)


def _image(robot: _Robot) -> str:
    return "una **imagen** de {} × {} píxeles".format(*robot.image)


def _angles(robot: _Robot) -> str:
    return f"**{spell_number(robot.angles)} números**: los ángulos"


def _action(robot: _Robot) -> str:
    return f"**{spell_number(robot.action)} componentes**"


WINDOW = Exercise(WINDOW_CARD, _task(PUBLISHED), _draw)
