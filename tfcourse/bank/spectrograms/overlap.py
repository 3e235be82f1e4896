"""Ejercicio para comprender: la condición para solapar y sumar."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class Hops:
    """Una ventana de Hann de `size` muestras y el salto, `size / divisor`."""

    size: int
    divisor: int

    @property
    def hop(self) -> int:
        """Las muestras que se avanza."""
        return self.size // self.divisor

    def sums(self, **wrong):
        """Lo que suman las ventanas desplazadas, y sus cuadrados, salvo lo que se equivoque.

        Con la ventana ½ − ½ cos y d ventanas en cada muestra, los cosenos se anulan: d/2 y 3d/8.
        """
        found = {
            "suma": self.divisor / 2,
            "cuadrados": 3 * self.divisor / 8,
            "mayor_salto": self.size - 1,
        }
        return lambda: found | wrong


FIRST = Hops(size=256, divisor=4)

CARD = Card(
    id="solapar-y-sumar",
    title="Solapar y sumar",
    kind="comprender",
    difficulty=3,
    minutes=18,
    points=3,
    objective="deducir cuánto suman las ventanas que se solapan y con qué salto se puede volver",
    hints=(
        "¿Cuántas ventanas cubren cada muestra, lejos de los bordes? Escribe su suma con la "
        "fórmula de Hann: los cosenos quedan repartidos por la vuelta a distancias iguales.",
        "La suma de cosenos repartidos por igual es cero. Para los cuadrados, "
        "cos² x = ½ + ½ cos 2x, y los cosenos del doble de ángulo también se anulan.",
        "La ventana de Hann vale 0 en su primera muestra y en ninguna más. ¿Qué salto es el "
        "mayor con el que esa muestra la cubre todavía otra ventana?",
    ),
)


def _mistakes(hops: Hops) -> tuple[Mistake, ...]:
    many = hops.divisor
    return (
        Mistake(
            "sin-el-medio",
            "has sumado ventanas de altura 1: la de Hann vale, de media, la mitad",
            (hops.sums(suma=float(many)), hops.sums(suma=float(many), cuadrados=float(many))),
        ),
        Mistake(
            "el-cuadrado-de-la-suma",
            "has elevado al cuadrado la suma: se suman los cuadrados de las ventanas",
            (hops.sums(cuadrados=many**2 / 4),),
        ),
        Mistake(
            "el-cuadrado-de-la-media",
            "has elevado al cuadrado la media de la ventana: falta lo que aporta el coseno, que "
            "al cuadrado no se anula",
            (hops.sums(cuadrados=many / 4),),
        ),
        Mistake(
            "solo-la-mitad",
            "con un salto mayor que la mitad la suma deja de ser constante, pero se divide entre "
            "ella: basta con que no se anule",
            (hops.sums(mayor_salto=hops.size // 2), hops.sums(mayor_salto=hops.size // 2 - 1)),
        ),
        Mistake(
            "sin-solapar",
            "con un salto igual a la ventana, la primera muestra de cada una, que vale 0, no la "
            "cubre nadie",
            (hops.sums(mayor_salto=hops.size),),
        ),
    )


def _task(hops: Hops) -> Task:
    return Task(
        function="overlap_sums",
        cases=(Case("la ventana y el salto", lambda: ()),),
        reference=hops.sums(),
        mistakes=_mistakes(hops),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra ventana y otro salto, que la divide en tres partes o más."""
    hops = FIRST
    while hops.size == FIRST.size or hops.divisor == FIRST.divisor or math.gcd(hops.size, 2) == 1:
        divisor = random.choice((3, 5, 6, 8))
        hops = Hops(divisor * random.randrange(20, 101), divisor)
    changes = (
        (
            f"**{FIRST.size} muestras y un salto de {FIRST.hop}**",
            f"**{hops.size} muestras y un salto de {hops.hop}**",
        ),
    )
    return Variant(Exercise(CARD, _task(hops)), changes)


OVERLAP = Exercise(CARD, _task(FIRST), _draw)
