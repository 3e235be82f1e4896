"""Ejercicio para comprender: los puntajes de tres funciones con lápiz y papel."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma

Pair = tuple[int, int]
ROOT = math.sqrt(2)


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cosine(q, k):
    return _dot(q, k) / math.hypot(*q) / math.hypot(*k)


@dataclass(frozen=True)
class _Comparison:
    """Una consulta y dos claves: la primera apunta casi a su lado; la segunda es más larga."""

    query: Pair = (3, 4)
    first: Pair = (4, 3)
    second: Pair = (0, 10)

    def table(self, scale=ROOT, cosine=_cosine):
        """Las seis respuestas, con alguna pieza cambiada: así se fabrican los errores típicos."""
        answers = {}
        for name, key in (("A", self.first), ("B", self.second)):
            answers |= {
                f"producto_{name}": float(_dot(self.query, key)),
                f"escalado_{name}": _dot(self.query, key) / scale,
                f"coseno_{name}": cosine(self.query, key),
            }
        return lambda: dict(answers)


SCORES_CARD = Card(
    id="tres-puntajes",
    title="Tres puntajes para dos claves",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="ver en números qué premia cada función de alineamiento",
    hints=(
        "Empieza por el producto escalar: componente por componente y se suma. Los otros dos "
        "salen de él con una división.",
        "El escalado divide entre la raíz del tamaño de la clave (aquí, 2). El coseno, entre "
        "el producto de las dos longitudes: la de q es √(3² + 4²) = 5.",
        "Para la clave A: el producto es 3·4 + 4·3 = 24; el coseno, 24 / (5·5).",
    ),
)


def _length(vector: Pair) -> str:
    """Cómo se calcula una longitud que sale exacta."""
    return f"√({vector[0]}² + {vector[1]}²) = {math.hypot(*vector):.0f}"


def _mistakes(comparison: _Comparison) -> tuple[Mistake, ...]:
    table = comparison.table
    return (
        Mistake(
            "dividido-entre-d",
            "en el escalado has dividido entre 2, el tamaño de la clave: se divide entre su "
            "raíz, √2 ≈ 1,414",
            (table(scale=2.0),),
        ),
        Mistake(
            "sin-escalar",
            "el escalado te ha salido igual que el producto: falta dividir entre √2",
            (table(scale=1.0),),
        ),
        Mistake(
            "coseno-sin-raiz",
            "en el coseno has dividido entre las longitudes al cuadrado: la longitud lleva "
            f"raíz, {_length(comparison.query)}",
            (table(cosine=lambda q, k: _dot(q, k) / _dot(q, q) / _dot(k, k)),),
        ),
        Mistake(
            "coseno-media-norma",
            "en el coseno solo has dividido entre una de las dos longitudes: van las dos",
            (
                table(cosine=lambda q, k: _dot(q, k) / math.hypot(*q)),
                table(cosine=lambda q, k: _dot(q, k) / math.hypot(*k)),
            ),
        ),
        Mistake(
            "longitud-sumando",
            "has medido la longitud sumando componentes: se suman sus cuadrados y se saca la raíz",
            (table(cosine=lambda q, k: _dot(q, k) / sum(q) / sum(k)),),
        ),
    )


def _task(comparison: _Comparison) -> Task:
    return Task(
        function="scores_by_hand",
        cases=(Case("las dos claves", lambda: ()),),
        reference=comparison.table(),
        mistakes=_mistakes(comparison),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    )


# Con estas componentes, la longitud es un número entero.
EXACT = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5))


def _draw(random: Random) -> Variant:
    """Otros vectores de longitud exacta; el producto y el coseno siguen sin ponerse de acuerdo."""
    while True:
        size = random.randint(11, 40)
        comparison = _Comparison(*random.sample(EXACT, 2), random.choice(((0, size), (size, 0))))
        if _disagree(comparison):
            return Variant(Exercise(_card(comparison), _task(comparison)), _changes(comparison))


def _disagree(comparison: _Comparison) -> bool:
    scores = comparison.table()()
    product = scores["producto_B"] - scores["producto_A"]
    # Dos vectores en la misma dirección tendrían coseno 1: no habría nada que calcular.
    return product > 0 and scores["coseno_B"] + 0.05 < scores["coseno_A"] < 0.995


def _card(comparison: _Comparison) -> Card:
    q, k = comparison.query, comparison.first
    product, lengths = _dot(q, k), f"{math.hypot(*q):.0f}·{math.hypot(*k):.0f}"
    hints = (
        SCORES_CARD.hints[0],
        SCORES_CARD.hints[1].replace(_length(_Comparison.query), _length(q)),
        f"Para la clave A: el producto es {q[0]}·{k[0]} + {q[1]}·{k[1]} = {product}; el coseno, "
        f"{product} / ({lengths}).",
    )
    return replace(SCORES_CARD, hints=hints)


def _changes(comparison: _Comparison) -> tuple[tuple[str, str], ...]:
    """El ejemplo compara la consulta consigo misma: cambia con ella."""
    q = comparison.query
    itself = f"{_dot(q, q)}, {comma(_dot(q, q) / ROOT, decimals=2)} y 1"
    return (
        ("$q = (3, 4)$", f"$q = {q}$"),
        ("$A = (4, 3)$", f"$A = {comparison.first}$"),
        ("$B = (0, 10)$", f"$B = {comparison.second}$"),
        (
            "la clave $(3, 4)$ serían 25, 17,68 y 1",
            f"la clave ${q}$ serían {itself}",
        ),
    )


SCORES = Exercise(SCORES_CARD, _task(_Comparison()), _draw)
