"""Ejercicio para comprender: qué encoge T-Fixup, y cuánto."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma

ENCODER, DECODER = "codificador", "decodificador"
SHRUNK = {
    "valores": "la matriz de valores de una atención",
    "salida": "la matriz de salida de una atención",
    "red": "una matriz de la red por posición",
}
UNTOUCHED = {
    "consultas": "la matriz de consultas de una atención",
    "claves": "la matriz de claves de una atención",
}


@dataclass(frozen=True)
class _Model:
    """Los bloques de cada pila, y las matrices por las que se pregunta."""

    n: int
    in_encoder: str
    in_decoder: str
    untouched: str
    untouched_stack: str

    @property
    def encoder(self) -> float:
        return 0.67 * self.n**-0.25

    @property
    def decoder(self) -> float:
        return (9 * self.n) ** -0.25

    def answer(self, *, encoder=None, decoder=None, embeddings=None, queries=1.0):
        """El factor de cada matriz; los que se den, equivocados."""
        values = {
            f"{self.in_encoder}_{ENCODER}": encoder or self.encoder,
            f"{self.in_decoder}_{DECODER}": decoder or self.decoder,
            "embeddings": embeddings or self.decoder,
            f"{self.untouched}_{self.untouched_stack}": queries,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen: los bloques y las matrices."""
        return (
            f"tiene {self.n} bloques de codificador y {self.n} de decodificador",
            _item(self.in_encoder, SHRUNK, ENCODER),
            _item(self.in_decoder, SHRUNK, DECODER),
            _item(self.untouched, UNTOUCHED, self.untouched_stack),
        )


def _item(matrix: str, names: dict[str, str], stack: str) -> str:
    return f"`{matrix}_{stack}`: {names[matrix]} del {stack}"


MODEL = _Model(16, "valores", "red", "consultas", DECODER)

SCALES_CARD = Card(
    id="reparto-de-t-fixup",
    title="Qué encoge T-Fixup, y cuánto",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="aplicar las reglas de T-Fixup a cada matriz de un modelo profundo",
    hints=(
        "16 elevado a −1/4 es 1/2.",
        "El factor del decodificador lleva el 9 dentro del paréntesis: (9 · 16) elevado a "
        "−1/4, es decir, uno entre la raíz de 12.",
        "Los embeddings van con el decodificador. Consultas y claves no se tocan: su factor es 1.",
    ),
)


def _mistakes(model: _Model) -> tuple[Mistake, ...]:
    outside, encoder, decoder = 9 * model.n**-0.25, model.encoder, model.decoder
    return (
        Mistake(
            "nueve-fuera",
            "has dejado el 9 fuera de la potencia: 9 · N^(−1/4) agranda las matrices, y hay "
            "que encogerlas",
            (
                model.answer(decoder=outside, embeddings=outside),
                model.answer(decoder=outside),
            ),
        ),
        Mistake(
            "pilas-cambiadas",
            "has cambiado las dos pilas: 0,67 es del codificador y 9, del decodificador",
            (
                model.answer(encoder=decoder, decoder=encoder, embeddings=encoder),
                model.answer(encoder=decoder, decoder=encoder),
            ),
        ),
        Mistake(
            "consultas-encogidas",
            "las consultas y las claves no se tocan: solo deciden a quién se mira",
            (model.answer(queries=decoder), model.answer(queries=encoder)),
        ),
        Mistake(
            "embeddings",
            "los embeddings se encogen con el factor del decodificador, aunque los lea el "
            "codificador",
            (model.answer(embeddings=1.0), model.answer(embeddings=encoder)),
        ),
    )


def _task(model: _Model, label: str) -> Task:
    return Task(
        function="t_fixup_factors",
        cases=(Case(label, lambda: ()),),
        reference=model.answer(),
        mistakes=_mistakes(model),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra profundidad, y otras matrices de cada clase: encogidas en cada pila y sin tocar."""
    model = _Model(
        # Los bloques del publicado no salen: sus factores serían los mismos.
        random.choice((4, 6, 8, 9, 12, 18, 20, 24, 32, 36)),
        in_encoder=random.choice(list(SHRUNK)),
        in_decoder=random.choice(list(SHRUNK)),
        untouched=random.choice(list(UNTOUCHED)),
        untouched_stack=random.choice((ENCODER, DECODER)),
    )
    hints = (
        f"{model.n} elevado a −1/4 es uno entre la raíz de su raíz: "
        f"{comma(model.n**-0.25, decimals=3)}.",
        f"El factor del decodificador lleva el 9 dentro del paréntesis: (9 · {model.n}) elevado a "
        f"−1/4, es decir, uno entre la raíz de la raíz de {9 * model.n}.",
        SCALES_CARD.hints[-1],
    )
    changes = tuple(zip(MODEL.described(), model.described(), strict=True))
    task = _task(model, f"{model.n} bloques")
    return Variant(Exercise(replace(SCALES_CARD, hints=hints), task), changes)


SCALES = Exercise(SCALES_CARD, _task(MODEL, "dieciséis bloques"), _draw)
