"""Ejercicio para comprender: qué alias se oye."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced


@dataclass(frozen=True)
class Tones:
    """Muestras por segundo y tres tonos: `a` cabe, `b` pasa de la mitad y `c`, de la frecuencia."""

    rate: int
    a: int
    b: int
    c: int

    def heard(self, **wrong):
        """Lo que se oye de cada tono, salvo lo que diga quien se equivoca."""
        found = {name: self.alias(getattr(self, name)) for name in "abc"} | wrong
        return lambda: {name: float(hertz) for name, hertz in found.items()}

    def alias(self, hertz: int) -> int:
        """La frecuencia con la que se confunde otra."""
        rest = hertz % self.rate
        return min(rest, self.rate - rest)

    def told(self) -> tuple[str, ...]:
        """Los trozos del enunciado que dicen las frecuencias; el ejemplo, en proporción."""
        return (
            f"a **{spaced(self.rate)}** muestras por segundo",
            f"`a`, de {spaced(self.a)} Hz",
            f"`b`, de {spaced(self.b)} Hz",
            f"`c`, de {spaced(self.c)} Hz",
            f"uno de {spaced(self.rate * 3 // 5)} Hz se oiría a {spaced(self.rate * 2 // 5)}.",
        )


TONES = Tones(rate=10_000, a=2500, b=8500, c=20_000)


CARD = Card(
    id="que-alias-se-oye",
    title="Qué alias se oye",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="predecir con qué frecuencia se confunde un tono al muestrearlo",
    hints=(
        "Por debajo de la mitad de la frecuencia de muestreo no pasa nada.",
        "Resta tantas veces la frecuencia de muestreo como haga falta para acercarte a 0.",
        "Si sale negativa, quítale el signo: un coseno no distingue f de −f.",
    ),
)


def _mistakes(tones: Tones) -> tuple[Mistake, ...]:
    rate, half = tones.rate, tones.rate // 2
    folded = rate - tones.a
    return (
        Mistake(
            "sin-doblar",
            "has dado la frecuencia de partida: por encima de la mitad de la de muestreo, se dobla",
            (tones.heard(b=tones.b, c=tones.c), tones.heard(c=tones.c)),
        ),
        Mistake(
            "modulo",
            "has dado el resto de dividir entre la frecuencia de muestreo: si pasa de la "
            "mitad, falta doblarlo",
            (tones.heard(b=tones.b, c=tones.c % rate), tones.heard(b=tones.b)),
        ),
        Mistake(
            "todo-se-dobla",
            "has doblado también el que cabe: por debajo de la mitad se oye tal cual",
            (tones.heard(a=folded), tones.heard(a=folded, c=rate - tones.c % rate)),
        ),
        Mistake(
            "lo-que-pasa-de-nyquist",
            "has contado lo que pasa de la mitad: el alias está igual de lejos, pero debajo",
            (
                tones.heard(b=tones.b - half),
                tones.heard(b=tones.b - half, c=(tones.c - half) % rate),
                tones.heard(b=tones.b - half, c=tones.c - half),
            ),
        ),
    )


def _task(tones: Tones) -> Task:
    return Task(
        function="aliases",
        cases=(Case("los tres tonos", lambda: ()),),
        reference=tones.heard(),
        mistakes=_mistakes(tones),
        tolerance=0.5,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro muestreo y otros tonos, en veinteavos de su frecuencia.

    De `b` se apartan tres cuartos, donde lo que pasa de la mitad es justo el alias, y el tono del
    ejemplo. Los tres se oyen distintos.
    """
    tones = None
    while tones is None or len(set(tones.heard()().values())) < len("abc"):
        rate = random.choice((8000, 10_000, 12_000, 16_000, 20_000))
        twentieths = (
            random.randint(2, 9),
            random.choice((11, 13, 14, 16, 17, 18, 19)),
            random.randint(33, 47),
        )
        tones = Tones(rate, *(rate * part // 20 for part in twentieths))
    changes = tuple(zip(TONES.told(), tones.told(), strict=True))
    return Variant(Exercise(CARD, _task(tones)), changes)


ALIASES = Exercise(CARD, _task(TONES), _draw)
