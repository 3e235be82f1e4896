"""Ejercicio abierto: qué parte de unos dibujos son copias, y de qué depende."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(drawn, known, held_out, level):
    """Imagen a imagen, y el cuantil, interpolando entre dos."""

    def closest(images):
        return [
            min(math.dist(image.tolist(), other.tolist()) for other in known) for image in images
        ]

    usual = sorted(closest(held_out))
    place = level * (len(usual) - 1)
    below = min(int(place), len(usual) - 2) if len(usual) > 1 else 0
    above = min(below + 1, len(usual) - 1)
    threshold = usual[below] + (place - below) * (usual[above] - usual[below])
    return sum(distance < threshold for distance in closest(drawn)) / len(drawn)


def _variant(
    threshold=lambda usual, own, level: usual.quantile(level), against="known", count=torch.lt,
    reduce=lambda table: table.min(dim=1).values,
):  # fmt: skip
    def copy_share(drawn, known, held_out, level):
        usual = reduce(torch.cdist(held_out, known))
        own = reduce(torch.cdist(drawn, known if against == "known" else held_out))
        return float(count(own, threshold(usual, own, level)).double().mean())

    return copy_share


def _case(n, n_known, n_held, width, level, seed):
    """Unos dibujos que son copias con algo de ruido, y otros que no."""

    def make():
        generator = seeded(seed)
        known = torch.randn(n_known, width, generator=generator, dtype=torch.float64)
        held_out = torch.randn(n_held, width, generator=generator, dtype=torch.float64)
        drawn = torch.randn(n, width, generator=generator, dtype=torch.float64)
        copies = n // 3
        drawn[:copies] = known[:copies] + 0.01 * drawn[:copies]
        return drawn, known, held_out, level

    return make


COPIES = Exercise(
    Card(
        id="copia-o-dibuja",
        title="¿Copia o dibuja?",
        kind="abierto",
        difficulty=3,
        minutes=45,
        points=2,
        manual_points=8,
        objective="medir qué parte de unos dibujos son copias, y qué hace que haya más",
        hints=(
            "Una distancia pequeña no dice nada sola: compárala con la que hay entre imágenes "
            "reales que no se usaron para entrenar y las que sí.",
            "`torch.cdist` da todas las distancias; de cada fila interesa la menor. El umbral es "
            "`quantile(level)` de las menores de las reservadas.",
            "Para el diseño: el modelo del curso ya está entrenado, así que cambiar la guía o los "
            "pasos cuesta segundos. Las semillas son las del ruido.",
        ),
    ),
    Task(
        function="copy_share",
        cases=(
            Case("30 dibujos", _case(30, 20, 25, 6, 0.05, 0)),
            Case("con un umbral más alto", _case(24, 40, 30, 4, 0.3, 1)),
            Case("en muchas dimensiones", _case(12, 15, 10, 40, 0.1, 2)),
            Case("el umbral, en la mediana", _case(21, 12, 33, 3, 0.5, 3)),
            example(
                torch.tensor([[0.1], [5.0]]),
                torch.tensor([[0.0], [4.0]]),
                torch.tensor([[1.0], [2.0], [3.5]]),
                0.5,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "umbral-de-los-dibujos",
                "el umbral sale de los propios dibujos: así siempre copian lo mismo. Sale de las "
                "reservadas",
                (_variant(lambda usual, own, level: own.quantile(level)),),
            ),
            Mistake(
                "cerca-de-las-reservadas",
                "has medido la distancia de los dibujos a las reservadas: se copia de las de "
                "entrenar",
                (_variant(against="held_out"),),
            ),
            Mistake(
                "la-otra-cola",
                "has tomado el cuantil por arriba: copia es lo que queda más cerca",
                (_variant(lambda usual, own, level: usual.quantile(1 - level)),),
            ),
            Mistake(
                "la-media",
                "el umbral es la media de las distancias: se pide el cuantil `level`",
                (_variant(lambda usual, own, level: usual.mean()),),
            ),
            Mistake(
                "los-que-no",
                "has contado los que no son copias: las copias están más cerca que el umbral",
                (_variant(count=torch.ge),),
            ),
            Mistake(
                "distancia-media",
                "has usado la distancia media a las de entrenar: interesa la de la más parecida",
                (_variant(reduce=lambda table: table.mean(dim=1)),),
            ),
        ),
        differentiable=False,
    ),
)
