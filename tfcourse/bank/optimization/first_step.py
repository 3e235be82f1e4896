"""Ejercicio para comprender: el primer paso de Adam."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, tex_comma

# Sin corregir, con β₁ = 0,9 y β₂ = 0,98: 0,1 g entre la raíz de 0,02 g².
UNCORRECTED = 0.1 / 0.02**0.5
ORDINALS = ("primer", "segundo", "tercer")


@dataclass(frozen=True)
class _Start:
    """De dónde parten los tres parámetros. Uno de los gradientes es cero."""

    values: tuple[float, ...]
    gradient: tuple[float, ...]
    rate: float

    @property
    def signs(self) -> list[int]:
        return [(g > 0) - (g < 0) for g in self.gradient]

    def after(self, steps):
        """Los parámetros tras restar el ritmo por esos avances."""
        moved = [value - self.rate * step for value, step in zip(self.values, steps, strict=True)]
        return lambda: list(moved)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen: los parámetros, el ritmo y el ejemplo."""
        values = ", ".join(f"{value:g}" for value in self.values)
        gradient = r";\ ".join(map(tex_comma, self.gradient))
        return (
            f"parámetros valen $({values})$ y sus primeros gradientes son $({gradient})$",
            f"con ritmo {comma(self.rate)}?",
            f"la respuesta sería `{list(self.values)}`",
        )


START = _Start((1.0, 2.0, 3.0), (50.0, -0.002, 0.0), 0.1)

FIRST_STEP_CARD = Card(
    id="primer-paso-de-adam",
    title="El primer paso de Adam",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="saber cuánto se mueve cada parámetro en el primer paso de Adam",
    hints=(
        "Tras corregir, en el primer paso la media es el propio gradiente y la otra, su cuadrado.",
        "Un número entre la raíz de su cuadrado es 1 o −1: solo queda el signo. ¿Y si es 0?",
        "Se resta: con gradiente positivo el parámetro baja, exactamente lr.",
    ),
)


def _first_step_mistakes(start: _Start) -> tuple[Mistake, ...]:
    signs, still = start.signs, ORDINALS[start.gradient.index(0)]
    return (
        Mistake(
            "sin-dividir",
            "has restado lr por el gradiente: eso es el descenso de gradiente; Adam lo divide "
            "antes entre su tamaño",
            (start.after(start.gradient),),
        ),
        Mistake(
            "al-reves",
            "vas en el sentido del gradiente, y hay que ir en el contrario: con gradiente "
            "positivo el parámetro baja",
            (start.after([-sign for sign in signs]),),
        ),
        Mistake(
            "cero-se-mueve",
            f"el {still} gradiente es 0: su media es 0 y el avance, 0 / ε = 0",
            tuple(start.after([sign or step for sign in signs]) for step in (1, -1)),
        ),
        Mistake(
            "sin-corregir",
            "te falta la corrección: las medias empiezan en cero, y en el primer paso se "
            "dividen entre 1 − β",
            (start.after([UNCORRECTED * sign for sign in signs]),),
        ),
    )


def _first_step_task(start: _Start) -> Task:
    return Task(
        function="first_step",
        cases=(Case("los tres parámetros", lambda: ()),),
        reference=start.after(start.signs),
        mistakes=_first_step_mistakes(start),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw_first_step(random: Random) -> Variant:
    """Otros parámetros y otro ritmo; un gradiente enorme, uno diminuto y uno nulo, sin orden."""
    sign = random.choice((1, -1))
    gradient = [sign * float(random.randint(20, 90)), -sign * random.randint(1, 9) / 1000, 0.0]
    random.shuffle(gradient)
    # Ninguno parte de 1, como el primero del publicado: así la respuesta nunca es la misma.
    values = map(float, random.sample(range(2, 10), len(gradient)))
    start = _Start(tuple(values), tuple(gradient), random.choice((0.05, 0.1, 0.2, 0.25)))
    changes = tuple(zip(START.described(), start.described(), strict=True))
    return Variant(Exercise(FIRST_STEP_CARD, _first_step_task(start)), changes)


FIRST_STEP = Exercise(FIRST_STEP_CARD, _first_step_task(START), _draw_first_step)
