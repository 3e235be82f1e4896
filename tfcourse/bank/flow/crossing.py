"""Ejercicio para comprender: la velocidad media en un punto por el que se va a dos datos."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


def _written(number: float) -> str:
    """Como se escribe en el enunciado."""
    return f"{number:g}".replace(".", ",").replace("-", "−")


@dataclass(frozen=True)
class _Place:
    """Los dos datos, el instante y dónde está el que pasa."""

    first: float
    second: float
    time: float
    x: float

    def answer(self, *, moved=True, width=True, half=True, nearest=False, divided=True):
        """Lo que se calcula; lo que se dé, equivocado."""
        left = 1 - self.time
        scale = (2 if half else 1) * (left**2 if width else 1)
        one, two = (
            -((self.x - (self.time if moved else 1) * datum) ** 2) / scale
            for datum in (self.first, self.second)
        )
        share = float(two > one) if nearest else 1 / (1 + math.exp(one - two))
        heading = share * self.second + (1 - share) * self.first
        speed = (heading - self.x) / (left if divided else 1)
        values = {"al_segundo": share, "velocidad": speed, "llegada": self.x + left * speed}
        return lambda: dict(values)

    @property
    def doubtful(self) -> bool:
        """Si cada error da otro número: nadie está seguro de a dónde va."""
        wrong = ({"moved": False}, {"width": False}, {"half": False}, {"nearest": True})
        shares = [self.answer(**options)()["al_segundo"] for options in ({}, *wrong)]
        apart = min(abs(a - b) for k, a in enumerate(shares) for b in shares[:k])
        return 0.1 < shares[0] < 0.9 and apart > 0.01

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"el primero en {_written(self.first)} y el segundo en {_written(self.second)},",
            f"En el instante {_written(self.time)}, alguien pasa por {_written(self.x)}.",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Quien va a un dato d está, en el instante t, en un punto gaussiano de centro t · d y "
            "desviación 1 − t: compara las dos alturas en x.",
            f"Los dos centros están en {_written(round(self.time * self.first, 4))} y en "
            f"{_written(round(self.time * self.second, 4))}, y el ancho es el mismo.",
            "La velocidad es lo que falta para llegar a la media de los datos, cada uno con su "
            "probabilidad, entre el tiempo que queda.",
        )


PLACE = _Place(-2.0, 3.0, 0.6, 0.2)
CROSSING_CARD = Card(
    id="a-donde-va-quien-pasa",
    title="A dónde va quien pasa por aquí",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=2,
    objective="deducir la velocidad media en un punto por el que se va a dos datos",
    hints=PLACE.hints(),
)


def _mistakes(place: _Place) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-el-instante",
            "has comparado la distancia a los datos: en ese instante, las rectas que van a d pasan "
            "alrededor de t · d",
            (place.answer(moved=False),),
        ),
        Mistake(
            "sin-el-ancho",
            "falta el ancho de las campanas, que en ese instante es 1 − t",
            (place.answer(width=False),),
        ),
        Mistake(
            "sin-el-medio",
            "en una campana gaussiana, el cuadrado va partido por 2",
            (place.answer(half=False),),
        ),
        Mistake(
            "solo-el-mas-cercano",
            "te has quedado con el más probable: la velocidad media cuenta los dos",
            (place.answer(nearest=True),),
        ),
        Mistake(
            "sin-el-tiempo",
            "eso es lo que falta por recorrer: la velocidad es eso entre el tiempo que queda",
            (place.answer(divided=False),),
        ),
    )


def _task(place: _Place) -> Task:
    return Task(
        function="crossing",
        cases=(Case("el punto del enunciado", lambda: ()),),
        reference=place.answer(),
        mistakes=_mistakes(place),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros datos y otro punto."""
    place = PLACE
    while place == PLACE or not place.doubtful:
        place = _Place(
            -random.randint(1, 4), random.randint(1, 5) + 0.5,
            random.choice((0.3, 0.4, 0.5, 0.7)), random.randint(-8, 12) / 10,
        )  # fmt: skip
    card = replace(CROSSING_CARD, hints=place.hints())
    changes = tuple(zip(PLACE.described(), place.described(), strict=True))
    return Variant(Exercise(card, _task(place)), changes)


CROSSING = Exercise(CROSSING_CARD, _task(PLACE), _draw)
