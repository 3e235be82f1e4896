"""Ejercicio para comprender: cuánto lee el codificador."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, listed, spaced

EXAMPLE_SECONDS = 10


@dataclass(frozen=True)
class Input:
    """Segundos, muestras por segundo y muestras de la ventana y del salto."""

    seconds: int
    rate: int
    window: int
    hop: int

    def lengths(self, **wrong):
        """Los tamaños, de la onda a la atención, salvo lo que diga quien se equivoca."""
        right = self.sizes(self.hop, stride=2)
        return lambda: right | wrong

    def sizes(self, hop: int, stride: int) -> dict[str, float]:
        """Los tamaños con ese salto y esa zancada total de las convoluciones."""
        columns = self.seconds * self.rate // hop
        vectors = columns // stride
        return {
            "columnas": columns,
            "vectores": vectors,
            "milisegundos": 1000 * stride * hop / self.rate,
            "pares": vectors**2,
        }

    def told(self, who: str) -> tuple[str, str]:
        """Los trozos del enunciado que dicen los datos y el ejemplo."""
        example = Input(EXAMPLE_SECONDS, self.rate, self.window, self.hop).lengths()()
        return (
            f"{who} recibe **{self.seconds} segundos a {spaced(self.rate)} Hz** con una ventana "
            f"de {self.window} muestras y un salto de {self.hop}, y descarta",
            f"con {EXAMPLE_SECONDS} segundos serían {listed([*map(_shown, example.values())])}.",
        )


def _shown(number: float) -> str:
    return spaced(number) if isinstance(number, int) else comma(number)


WHISPER = Input(seconds=30, rate=16_000, window=400, hop=160)

CARD = Card(
    id="cuanto-lee-el-codificador",
    title="Cuánto lee el codificador",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="seguir los tamaños desde la onda hasta la atención",
    hints=(
        "Una columna cada salto: divide las muestras entre las del salto.",
        "De las dos convoluciones, solo la segunda tiene zancada 2.",
        "En la autoatención, cada vector mira a todos: los pares son el cuadrado.",
    ),
)


def _mistakes(given: Input) -> tuple[Mistake, ...]:
    unstrided, twice = given.sizes(given.hop, stride=1), given.sizes(given.hop, stride=4)
    by_window = given.sizes(given.window, stride=2)
    right = given.lengths()()
    return (
        Mistake(
            "sin-zancada",
            "has contado un vector por columna: la segunda convolución tiene zancada 2",
            _wrong_vectors(given, unstrided),
        ),
        Mistake(
            "dos-zancadas",
            "has reducido a la mitad dos veces: la primera convolución conserva la longitud",
            _wrong_vectors(given, twice),
        ),
        Mistake(
            "el-salto",
            "has dado los milisegundos de una columna; un vector son dos columnas",
            (given.lengths(milisegundos=unstrided["milisegundos"]),),
        ),
        Mistake(
            "sin-cuadrado",
            "has contado vectores, no pares: cada uno mira a todos",
            (given.lengths(pares=right["vectores"]), given.lengths(pares=right["columnas"])),
        ),
        Mistake(
            "la-ventana",
            "has dividido entre la ventana: las columnas van de salto en salto",
            (given.lengths(**by_window), given.lengths(columnas=by_window["columnas"])),
        ),
    )


def _wrong_vectors(given: Input, wrong: dict[str, float]) -> tuple:
    """El error llevado hasta el final, solo en los vectores, o en ellos y en los pares."""
    vectors, pairs = wrong["vectores"], wrong["pares"]
    return (
        given.lengths(**wrong),
        given.lengths(vectores=vectors),
        given.lengths(vectores=vectors, pares=pairs),
    )


def _task(given: Input, label: str) -> Task:
    return Task(
        function="encoder_lengths",
        cases=(Case(label, lambda: ()),),
        reference=given.lengths(),
        mistakes=_mistakes(given),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tamaños: los segundos, múltiplos de cuatro para que se puedan partir dos veces."""
    rate, seconds = random.choice((8000, 16_000, 24_000)), 4 * random.randint(3, 10)
    window = rate * random.choice((25, 40, 50)) // 1000
    hop = int(rate * random.choice((5, 8, 10, 12.5, 20)) / 1000)
    given = Input(seconds, rate, window, hop)
    before, after = (
        WHISPER.told("Whisper"),
        given.told("Un modelo como Whisper, pero con otra entrada,"),
    )
    task = _task(given, "los tamaños del enunciado")
    return Variant(Exercise(CARD, task), tuple(zip(before, after, strict=True)))


LENGTHS = Exercise(CARD, _task(WHISPER, "los tamaños de Whisper"), _draw)
