"""Ejercicio para comprender: los tamaños de una capa multicabeza."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Layer:
    """La capa por la que se pregunta, y el lote que lee."""

    width: int
    heads: int
    batch: int
    length: int

    def answer(self, *, head_size=None, parameters=None, weights=None):
        """Los tres tamaños; los que se den, equivocados."""
        every_pair = self.batch * self.heads * self.length**2
        values = {
            "dimension_de_cabeza": head_size or self.width // self.heads,
            "parametros": parameters or 4 * self.width**2,
            "pesos_de_atencion": weights or every_pair,
        }
        return lambda: dict(values)

    def described(self) -> str:
        """Como la dice el enunciado."""
        return (
            f"ancho $d = {self.width}$ y $H = {self.heads}$ cabezas. Lee un lote de "
            f"$B = {self.batch}$ frases de $L = {self.length}$ tokens"
        )


LAYER = _Layer(width=512, heads=8, batch=2, length=100)

COUNTS_CARD = Card(
    id="tamanos-multicabeza",
    title="Una capa, en números",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="saber qué crece con las cabezas, qué con el ancho y qué con la longitud",
    hints=(
        "Las cabezas se reparten las 512 dimensiones: ¿cuántas tocan a cada una?",
        "Hay cuatro matrices (consulta, clave, valor y salida), y cada una mide d × d sea cual "
        "sea el número de cabezas.",
        "Hay un peso por cada pareja consulta–clave, en cada cabeza y en cada frase del lote.",
    ),
)


def _counts_mistakes(layer: _Layer) -> tuple[Mistake, ...]:
    square, pairs = layer.width**2, layer.length**2
    return (
        Mistake(
            "parametros-por-cabeza",
            "has multiplicado los parámetros por el número de cabezas: cada cabeza proyecta a "
            "d / H dimensiones, así que entre todas suman las mismas d × d de siempre",
            (
                layer.answer(parameters=4 * square * layer.heads),
                layer.answer(parameters=3 * square * layer.heads + square),
            ),
        ),
        Mistake(
            "sin-salida",
            "has contado tres matrices y hay cuatro: falta la de salida, que mezcla lo que "
            "trae cada cabeza",
            (layer.answer(parameters=3 * square),),
        ),
        Mistake(
            "cabeza-entera",
            "cada cabeza no trabaja con las d dimensiones: se las reparten entre todas",
            (layer.answer(head_size=layer.width),),
        ),
        Mistake(
            "pesos-sin-cabezas",
            "te faltan las cabezas en los pesos: cada una tiene su propia matriz",
            (layer.answer(weights=layer.batch * pairs), layer.answer(weights=pairs)),
        ),
        Mistake(
            "pesos-sin-lote",
            "te falta el lote en los pesos: cada frase tiene los suyos",
            (layer.answer(weights=layer.heads * pairs),),
        ),
        Mistake(
            "pesos-lineales",
            "has contado un peso por posición, y hay uno por cada pareja de posiciones: crecen "
            "con el cuadrado de la longitud",
            (
                layer.answer(weights=layer.batch * layer.heads * layer.length),
                layer.answer(weights=layer.heads * layer.length),
            ),
        ),
    )


def _counts_task(layer: _Layer) -> Task:
    return Task(
        function="layer_counts",
        cases=(Case("la capa del enunciado", lambda: ()),),
        reference=layer.answer(),
        mistakes=_counts_mistakes(layer),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_counts(random: Random) -> Variant:
    """Otra capa y otro lote."""
    heads = random.choice((4, 8, 12, 16))
    # Ni tantas frases como cabezas, ni B · H tokens: dos errores darían la misma cuenta.
    layer = _Layer(
        width=heads * random.choice((32, 64)),
        heads=heads,
        batch=random.choice((2, 3, 5, 6)),
        length=random.choice((50, 70, 90, 110, 120, 150)),
    )
    hint = COUNTS_CARD.hints[0].replace(str(LAYER.width), str(layer.width))
    card = replace(COUNTS_CARD, hints=(hint, *COUNTS_CARD.hints[1:]))
    changes = ((LAYER.described(), layer.described()),)
    return Variant(Exercise(card, _counts_task(layer)), changes)


COUNTS = Exercise(COUNTS_CARD, _counts_task(LAYER), _draw_counts)
