"""Ejercicio para comprender: de qué está hecho un modelo."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import spaced


@dataclass(frozen=True)
class _Model:
    """Vocabulario, anchura de los embeddings, unidades por dirección y de la capa oculta."""

    v: int
    d: int
    h: int
    hidden: int

    def sizes(self, *, directions=2, gates=4, bias=True, read_directions=2):
        table = self.v * self.d
        lstm = directions * gates * ((self.d + self.h) * self.h + bias * self.h)
        read = read_directions * self.h
        output = read * self.hidden + bias * self.hidden + self.hidden + bias
        return {"tabla": table, "lstm": lstm, "salida": output, "total": table + lstm + output}

    def answer(self, **changes):
        return lambda: self.sizes(**changes)


SIZES_CARD = Card(
    id="de-que-esta-hecho",
    title="¿De qué está hecho?",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="reconstruir un modelo a partir de su número de parámetros",
    hints=(
        "Cada compuerta es una capa que recibe la palabra y el estado anterior juntos, y tiene "
        "su sesgo.",
        "Una LSTM tiene cuatro compuertas, y aquí hay dos direcciones, cada una con las suyas.",
        "La capa oculta recibe los dos estados finales, uno por dirección. Si la suma no es la "
        "publicada, algo falta.",
    ),
)


def _mistakes(model: _Model) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "una-direccion",
            "has contado una sola dirección: es bidireccional, y cada una tiene sus pesos",
            (model.answer(directions=1), model.answer(directions=1, read_directions=1)),
        ),
        Mistake(
            "tres-compuertas",
            "has contado tres transformaciones en la LSTM: son tres compuertas y el candidato",
            (model.answer(gates=3),),
        ),
        Mistake(
            "sin-sesgos",
            "faltan los sesgos: uno por salida en cada capa y en cada compuerta",
            (model.answer(bias=False),),
        ),
        Mistake(
            "salida-de-una-direccion",
            "la capa oculta recibe los estados finales de las dos direcciones, uno detrás de otro",
            (model.answer(read_directions=1),),
        ),
    )


def _task(model: _Model) -> Task:
    return Task(
        function="model_sizes",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=model.answer(),
        mistakes=_mistakes(model),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras medidas: ya no son las de ningún estudio, y ni el enunciado ni la pista lo dicen."""
    model = _Model(
        v=random.randint(10, 30) * 1000,
        d=random.choice((16, 24, 40, 48, 64)),
        h=random.choice((16, 20, 24, 40, 48)),
        hidden=random.randrange(10, 45, 5),
    )
    hint = SIZES_CARD.hints[-1].replace("la publicada", "la del enunciado")
    card = replace(SIZES_CARD, hints=(*SIZES_CARD.hints[:-1], hint))
    v, total = map(spaced, (model.v, model.sizes()["total"]))
    changes = (
        (
            "El mismo estudio publica, para críticas en inglés, una red recurrente bidireccional "
            "de **338 291** parámetros, y no da sus medidas. Compruébalo: vocabulario",
            f"Una red recurrente bidireccional tiene **{total}** parámetros. Compruébalo con sus "
            "medidas: vocabulario",
        ),
        ("de 10 000 palabras, embeddings de 32,", f"de {v} palabras, embeddings de {model.d},"),
        ("una LSTM de 32 unidades", f"una LSTM de {model.h} unidades"),
        ("oculta de 25 unidades", f"oculta de {model.hidden} unidades"),
        ("que ha de ser la publicada", "que ha de dar el número de arriba"),
    )
    return Variant(Exercise(card, _task(model)), changes)


PUBLISHED = _Model(v=10_000, d=32, h=32, hidden=25)
SIZES = Exercise(SIZES_CARD, _task(PUBLISHED), _draw)
