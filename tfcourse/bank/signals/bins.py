"""Ejercicio para comprender: en qué casillas cae un coseno y con qué módulo."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced


@dataclass(frozen=True)
class Wave:
    """`size` muestras, a `rate` por segundo, de una constante más un coseno de `turns` vueltas."""

    rate: int
    size: int
    turns: int
    constant: int
    amplitude: int

    @property
    def hertz(self) -> int:
        """La frecuencia del coseno."""
        return self.turns * self.rate // self.size

    def bins(self, **wrong):
        """Las dos casillas y los tres módulos, salvo lo que diga quien se equivoca."""
        found = {
            "casilla": self.turns,
            "espejo": self.size - self.turns,
            "modulo": self.amplitude * self.size / 2,
            "cero": self.constant * self.size,
            "con_hann": self.amplitude * self.size / 4,
        }
        return lambda: found | wrong

    def told(self) -> tuple[str, ...]:
        """Los trozos del enunciado que dicen las constantes."""
        return (
            f"**{self.size}** muestras a **{spaced(self.rate)}** por segundo",
            f"una constante, **{self.constant}**, más un coseno de amplitud **{self.amplitude}** "
            f"y **{spaced(self.hertz)}** Hz",
        )


FIRST = Wave(rate=8000, size=400, turns=75, constant=2, amplitude=3)

CARD = Card(
    id="donde-cae-un-coseno",
    title="Dónde cae un coseno",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=2,
    objective="deducir en qué casillas de la transformada cae un coseno y con qué módulo",
    hints=(
        "La casilla k son k f_s / N hercios. ¿Cuántas vueltas da el coseno en el trozo?",
        "Un coseno es la media de dos exponenciales complejas, una con k vueltas y otra con −k; "
        "la casilla de −k es la misma que la de N − k.",
        "La ventana de Hann es ½ menos ½ de un coseno de una vuelta: multiplicar por ese coseno "
        "lleva las casillas una a cada lado, y en la de siempre queda la parte del ½.",
    ),
)


def _mistakes(wave: Wave) -> tuple[Mistake, ...]:
    whole = wave.amplitude * wave.size
    return (
        Mistake(
            "el-doble-de-hercios",
            "has repartido entre las N casillas solo hasta la mitad de la frecuencia de muestreo: "
            "la casilla k son k f_s / N hercios",
            (
                wave.bins(casilla=2 * wave.turns, espejo=wave.size - 2 * wave.turns),
                wave.bins(casilla=2 * wave.turns),
            ),
        ),
        Mistake(
            "espejo-corrido",
            "las casillas se cuentan desde 0: la pareja de la casilla k es la N − k",
            (
                wave.bins(espejo=wave.size - 1 - wave.turns),
                wave.bins(espejo=wave.size + 1 - wave.turns),
            ),
        ),
        Mistake(
            "todo-en-una",
            "has puesto el coseno entero en una casilla: la mitad está en su espejo",
            (wave.bins(modulo=float(whole), con_hann=whole / 2), wave.bins(modulo=float(whole))),
        ),
        Mistake(
            "entre-n",
            "has dividido entre N: la transformada suma, y solo la inversa divide",
            (
                wave.bins(
                    modulo=wave.amplitude / 2,
                    cero=float(wave.constant),
                    con_hann=wave.amplitude / 4,
                ),
            ),
        ),
        Mistake(
            "la-constante-partida",
            "la casilla 0 no tiene espejo: la constante va entera a ella",
            (wave.bins(cero=wave.constant * wave.size / 2),),
        ),
        Mistake(
            "la-ventana-no-cuenta",
            "la ventana de Hann vale ½ de media: en la casilla queda la mitad de lo que había",
            (wave.bins(con_hann=whole / 2),),
        ),
        Mistake(
            "una-vecina",
            "has dado el módulo de una casilla vecina: en la del coseno queda la parte del ½, y "
            "en cada vecina, la mitad de eso",
            (wave.bins(con_hann=whole / 8),),
        ),
    )


def _task(wave: Wave) -> Task:
    return Task(
        function="cosine_bins",
        cases=(Case("la constante y el coseno", lambda: ()),),
        reference=wave.bins(),
        mistakes=_mistakes(wave),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra señal, de vueltas y hercios enteros; el coseno, lejos de la constante y de su espejo."""
    rate = random.choice((16_000, 24_000, 32_000, 48_000))
    size = random.choice((160, 200, 320, 500, 640, 800))
    turns = random.choice([k for k in range(5, size // 2 - 5) if k * rate % size == 0])
    wave = Wave(rate, size, turns, random.choice((1, 3, 4)), random.choice((5, 7, 9)))
    changes = tuple(zip(FIRST.told(), wave.told(), strict=True))
    return Variant(Exercise(CARD, _task(wave)), changes)


BINS = Exercise(CARD, _task(FIRST), _draw)
