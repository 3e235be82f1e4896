"""Ejercicio para comprender: cuántos tokens da cada modalidad."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# Estos no se sortean: con ellos está hecho también el ejemplo del enunciado.
PATCH = 8
TUBE_FRAMES = 2
SOUND_STRIDE = 2


@dataclass(frozen=True)
class _Inputs:
    """Lo que lee el modelo: tokens de texto, píxeles, fotogramas y columnas de sonido."""

    text: int
    image: tuple[int, int]
    frames: int
    frame_side: int
    columns: int

    def answer(self, **wrong):
        """Los cuatro números: los correctos, salvo los que se digan, que cambian el total."""
        rows, columns = self.image
        right = {
            "image": (rows // PATCH) * (columns // PATCH),
            "video": (self.frames // TUBE_FRAMES) * (self.frame_side // PATCH) ** 2,
            "sound": self.columns // SOUND_STRIDE,
        }
        parts = right | wrong
        total = parts.pop("total", self.text + sum(parts.values()))
        return lambda: (*parts.values(), total)

    @property
    def total(self) -> int:
        return self.answer()()[-1]


PUBLISHED = _Inputs(text=12, image=(32, 48), frames=16, frame_side=32, columns=200)

COUNTING_CARD = Card(
    id="contar-los-tokens",
    title="Contar los tokens",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="saber cuántos tokens da cada modalidad antes de juntarlas",
    hints=(
        "Una imagen se corta en filas y en columnas: multiplica las dos cuentas.",
        "Un tubo abarca varios fotogramas: divide también entre los que abarca.",
        "La segunda convolución del tallo avanza de dos en dos columnas. El total es la suma "
        "de las cuatro, con el texto.",
    ),
)


def _mistakes(inputs: _Inputs) -> tuple[Mistake, ...]:
    def spoilt(**wrong):
        """El error, con el total que sale de él y con el correcto."""
        return inputs.answer(**wrong), inputs.answer(**wrong, total=inputs.total)

    rows, columns = inputs.image
    return (
        Mistake(
            "un-solo-lado",
            "has dividido entre un solo lado del parche: se corta en filas y en columnas",
            spoilt(image=rows * columns // PATCH),
        ),
        Mistake(
            "fotograma-a-fotograma",
            "has cortado cada fotograma por separado: un tubo abarca dos",
            spoilt(video=inputs.frames * (inputs.frame_side // PATCH) ** 2),
        ),
        Mistake(
            "una-por-columna",
            "has contado un token por columna: el tallo junta cada dos",
            spoilt(sound=inputs.columns),
        ),
        Mistake(
            "sin-el-texto",
            "en el total faltan los tokens del texto, que también se leen",
            (inputs.answer(total=inputs.total - inputs.text),),
        ),
    )


def _task(inputs: _Inputs) -> Task:
    return Task(
        function="count_tokens",
        cases=(Case("las entradas del enunciado", lambda: ()),),
        reference=inputs.answer(),
        outputs=("los de la imagen", "los del vídeo", "los del sonido", "los de todo junto"),
        mistakes=_mistakes(inputs),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros tamaños, que los parches y los tubos dividen justos, y un texto siempre más largo."""
    inputs = _Inputs(
        text=random.randint(PUBLISHED.text + 1, 30),
        image=tuple(PATCH * patches for patches in random.sample(range(3, 9), 2)),
        frames=TUBE_FRAMES * random.randint(3, 10),
        frame_side=PATCH * random.randint(2, 6),
        columns=random.randrange(100, 401, 20),
    )
    changes = (
        (_text(PUBLISHED), _text(inputs)),
        (_image(PUBLISHED), _image(inputs)),
        (_video(PUBLISHED), _video(inputs)),
        ("tiene 200 columnas", f"tiene {inputs.columns} columnas"),
        (_example(PUBLISHED), _example(inputs)),
    )
    return Variant(Exercise(COUNTING_CARD, _task(inputs)), changes)


def _text(inputs: _Inputs) -> str:
    return f"un **texto** de {inputs.text} tokens"


def _image(inputs: _Inputs) -> str:
    return "una **imagen** de {} × {} píxeles".format(*inputs.image)


def _video(inputs: _Inputs) -> str:
    side = inputs.frame_side
    return f"un **vídeo** de {inputs.frames} fotogramas de {side} × {side}"


def _example(inputs: _Inputs) -> str:
    """Los números del ejemplo del enunciado, que lee el mismo texto."""
    small = _Inputs(text=inputs.text, image=(16, 16), frames=2, frame_side=8, columns=10)
    return "serían `{}, {}, {}, {}`".format(*small.answer()())


COUNTING = Exercise(COUNTING_CARD, _task(PUBLISHED), _draw)
