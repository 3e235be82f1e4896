"""Ejercicio para comprender: cuánto mide un espectrograma."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced


@dataclass(frozen=True)
class Clip:
    """Segundos, muestras por segundo y muestras de la ventana y del salto."""

    seconds: int
    rate: int
    window: int
    hop: int

    def sizes(self, **wrong):
        """Los tamaños y las resoluciones, salvo lo que diga quien se equivoca."""
        right = {
            "casillas": self.window // 2 + 1,
            "instantes": 1 + self.samples // self.hop,
            "hercios": self.rate / self.window,
            "milisegundos": 1000 * self.window / self.rate,
        }
        return lambda: right | wrong

    @property
    def samples(self) -> int:
        """Cuántas muestras tiene el clip."""
        return self.seconds * self.rate

    def told(self, how: str) -> str:
        """Los datos, como los da el enunciado."""
        return (
            f"**{self.seconds} segundos a {spaced(self.rate)} Hz** se analiza {how}: ventana de "
            f"{self.window} muestras y salto de {self.hop},"
        )


EXAMPLE = (8000, 200)  # muestras por segundo y ventana
CLIP = Clip(seconds=3, rate=16_000, window=400, hop=160)

CARD = Card(
    id="cuanto-mide-un-espectrograma",
    title="Cuánto mide un espectrograma",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="deducir los tamaños y las resoluciones de un espectrograma",
    hints=(
        "La segunda mitad de las casillas repite la primera: se guardan N/2 + 1.",
        "Con los tramos centrados hay uno en la muestra 0 y otro cada salto: 1 + T // S.",
        "Una casilla abarca f_s / N hercios, y una ventana dura N / f_s segundos.",
    ),
)


def _mistakes(clip: Clip) -> tuple[Mistake, ...]:
    after_first = clip.samples - clip.window
    by_hop = {"hercios": clip.rate / clip.hop, "milisegundos": 1000 * clip.hop / clip.rate}
    return (
        Mistake(
            "todas-las-casillas",
            "has contado las N casillas, o la mitad justa: se guardan N/2 + 1",
            tuple(
                clip.sizes(casillas=bins)
                for bins in (clip.window, clip.window // 2, clip.window - 1)
            ),
        ),
        Mistake(
            "sin-centrar",
            "has contado los tramos que caben enteros; con los bordes reflejados hay uno "
            "centrado en cada salto, también en el 0",
            (
                clip.sizes(instantes=1 + after_first // clip.hop),
                clip.sizes(instantes=clip.samples // clip.hop),
                clip.sizes(instantes=1 - -after_first // clip.hop),  # con el último, incompleto
            ),
        ),
        Mistake(
            "salto-por-ventana",
            "has usado el salto donde iba la ventana: la resolución la da la ventana",
            (
                clip.sizes(**by_hop),
                clip.sizes(milisegundos=by_hop["milisegundos"]),
                clip.sizes(hercios=by_hop["hercios"]),
            ),
        ),
        Mistake(
            "nyquist-entre-ventana",
            "has repartido solo hasta la mitad de f_s entre las N casillas: es f_s entre N",
            (clip.sizes(hercios=clip.rate / 2 / clip.window),),
        ),
    )


def _task(clip: Clip) -> Task:
    return Task(
        function="spectrogram_sizes",
        cases=(Case("el clip del enunciado", lambda: ()),),
        reference=clip.sizes(),
        mistakes=_mistakes(clip),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro clip, con ventanas que duran milisegundos enteros y saltos de media ventana o menos.

    Ni el publicado ni uno con la ventana del ejemplo, que ya tendría media respuesta.
    """
    clip = CLIP
    while clip == CLIP or (clip.rate, clip.window) == EXAMPLE:
        seconds, rate = random.randint(2, 9), random.choice((8000, 16_000, 20_000, 24_000, 32_000))
        window = rate * random.choice((20, 25, 40, 50)) // 1000
        clip = Clip(seconds, rate, window, hop=window * random.choice((25, 40, 50)) // 100)
    changes = ((CLIP.told("como lo hace Whisper"), clip.told("así")),)
    return Variant(Exercise(CARD, _task(clip)), changes)


SIZES = Exercise(CARD, _task(CLIP), _draw)
