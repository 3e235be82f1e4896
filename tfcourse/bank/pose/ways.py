"""Ejercicio para comprender: qué camino sale más barato, de arriba abajo o de abajo arriba."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

PEOPLE = 20  # también lo dice la celda de la respuesta, así que no se sortea


@dataclass(frozen=True)
class Times:
    """Milisegundos del detector y de cada persona; de los mapas y de agrupar a cada persona."""

    detector: int
    person: int
    maps: int
    grouping: int

    def down(self, people: int) -> int:
        """Lo que tarda el camino de arriba abajo."""
        return self.detector + self.person * people

    def up(self, people: int) -> int:
        """Lo que tarda el de abajo arriba."""
        return self.maps + self.grouping * people

    @property
    def extra(self) -> int:
        """Lo que cada persona encarece el primero respecto al segundo."""
        return self.person - self.grouping

    @property
    def head_start(self) -> int:
        """La ventaja con la que sale el primero, antes de contar a nadie."""
        return self.maps - self.detector

    @property
    def first(self) -> int:
        """Desde cuántas personas tarda menos el segundo."""
        return _first_above(self.head_start, self.extra)

    @property
    def answer(self) -> tuple[int, int, int]:
        """Lo que pide el enunciado, en su orden."""
        return self.first, self.down(PEOPLE), self.up(PEOPLE)

    def told(self) -> tuple[str, ...]:
        """Los trozos del enunciado que dicen los tiempos."""
        return (
            f"que tarda {self.detector} ms por imagen",
            f"que tarda {self.person} ms por persona",
            f"los mapas de la imagen entera en {self.maps} ms",
            f"agrupa los puntos en {self.grouping} ms por persona",
            f"con una sola persona tardarían {self.down(1)} y {self.up(1)} ms",
        )


TIMES = Times(detector=30, person=8, maps=60, grouping=1)


def _first_above(advantage: int, step: int) -> int:
    """El primer entero que, por `step`, pasa de `advantage`."""
    return advantage // step + 1


def _answer(*values):
    return lambda: values


CARD = Card(
    id="que-camino",
    title="¿De arriba abajo o de abajo arriba?",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="comparar el coste de los dos caminos según cuánta gente hay",
    hints=(
        "Escribe los dos costes en función del número de personas, n.",
        "De arriba abajo se paga el detector una vez y el modelo de pose por cada persona.",
        "Iguala los dos costes, despeja n y quédate con el primer entero que pasa de ahí.",
    ),
)


def _mistakes(times: Times) -> tuple[Mistake, ...]:
    first, down, up = times.answer
    no_detector, no_grouping = times.person * PEOPLE, times.maps
    each_detected = (times.detector + times.person) * PEOPLE
    return (
        Mistake(
            "sin-detector",
            "has olvidado el detector: sin cajas no hay nada que recortar",
            (
                _answer(_first_above(times.maps, times.extra), no_detector, up),
                _answer(first, no_detector, up),
            ),
        ),
        Mistake(
            "sin-agrupar",
            "agrupar los puntos también cuesta, y más cuanta más gente hay",
            (
                _answer(_first_above(times.head_start, times.person), down, no_grouping),
                _answer(first, down, no_grouping),
            ),
        ),
        Mistake(
            "por-debajo",
            "con esas personas todavía sale más barato ir de arriba abajo: es la primera "
            "cantidad entera que pasa del empate",
            (_answer(first - 1, down, up),),
        ),
        Mistake(
            "al-reves",
            "has cambiado los dos caminos de sitio: de arriba abajo es el que usa el detector",
            (_answer(first, up, down),),
        ),
        Mistake(
            "detector-por-persona",
            "el detector se pasa una vez por imagen, no una por persona",
            (
                _answer(_first_above(times.maps, times.detector + times.extra), each_detected, up),
                _answer(first, each_detected, up),
            ),
        ),
    )


def _task(times: Times) -> Task:
    return Task(
        function="cheaper_way",
        cases=(Case("los tiempos del enunciado", lambda: ()),),
        reference=_answer(*times.answer),
        outputs=("desde cuántas personas", "de arriba abajo", "de abajo arriba"),
        mistakes=_mistakes(times),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tiempos, sin empates, con los que el segundo gana con unas pocas personas."""
    times = TIMES
    while not (_fair(times) and times.answer != TIMES.answer):
        times = Times(
            detector=random.randrange(20, 50, 5),
            person=random.randint(6, 12),
            maps=random.randrange(50, 100, 5),
            grouping=random.randint(1, 3),
        )
    changes = tuple(zip(TIMES.told(), times.told(), strict=True))
    return Variant(Exercise(CARD, _task(times)), changes)


def _fair(times: Times) -> bool:
    return times.head_start % times.extra != 0 and 3 <= times.first <= 9


WHICH_WAY = Exercise(CARD, _task(TIMES), _draw)
