"""Ejercicio abierto: ¿con qué ventana se ven dos tonos?"""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(power):
    values = power.tolist()
    inside = range(1, len(values) - 1)
    tops = [place for place in inside if values[place - 1] < values[place] > values[place + 1]]
    return sorted(sorted(tops, key=lambda place: -values[place])[:2])


def _largest(power):
    """Los dos valores más altos, aunque sean vecinos."""
    return sorted(power.argsort(descending=True)[:2].tolist())


def _by_height(power):
    return sorted(_by_loops(power), key=lambda place: -float(power[place]))


def _first_two(power):
    """Los dos primeros máximos, por altos que sean."""
    values = power.tolist()
    inside = range(1, len(values) - 1)
    return [p for p in inside if values[p - 1] < values[p] > values[p + 1]][:2]


def _with_edges(power):
    """Cuenta también los bordes, que solo tienen un vecino."""
    closed = torch.nn.functional.pad(power, (1, 1), value=-torch.inf)
    return [place - 1 for place in _by_loops(closed)]


def _shifted(power):
    """Las posiciones, contadas en lo que queda al quitar el borde."""
    return [place - 1 for place in _by_loops(power)]


def _case(size, seed, edge=0.0):
    """Alturas al azar; con `edge`, el primer borde es lo más alto."""

    def make():
        power = torch.rand(size, generator=seeded(seed)) + 0.01
        power[0], power[-1] = edge, 0.0
        middle = size // 2  # un monte de tres, para que lo más alto no esté solo
        power[middle - 1 : middle + 2] = torch.tensor([2.4, 2.5, 2.3])
        power[middle - 2], power[middle + 2] = 0.0, 0.0
        return (power,)

    return make


def _flat():
    """Lo más alto son dos alturas iguales y seguidas."""
    return (torch.tensor([0.0, 9.0, 9.0, 1.0, 2.0, 0.0, 4.0, 0.0]),)


def _one_peak():
    """Una cuesta arriba y otra abajo."""
    steps = torch.rand(9, generator=seeded(7)) + 0.1
    return (torch.cat([steps[:5].cumsum(0), steps[5:].cumsum(0).flip(0) * 0.2]),)


PEAKS = Exercise(
    Card(
        id="ver-dos-tonos",
        title="¿Con qué ventana se ven dos tonos?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="decidir con un experimento qué ventana conviene, y en qué caso",
        hints=(
            "Para la primera parte: un máximo es mayor que su vecino de antes y que el de después; "
            "los bordes no tienen los dos.",
            "Ordena los máximos por su altura, quédate con dos y devuélvelos por su posición.",
            "Para el experimento: mide también qué sale si el segundo tono no está. Si "
            "«se ve» entonces, lo que ves es otra cosa.",
        ),
    ),
    Task(
        function="two_peaks",
        cases=(
            Case("veinte alturas", _case(20, 0)),
            Case("cuarenta alturas", _case(40, 1)),
            Case("lo más alto, en el borde", _case(30, 2, edge=5.0)),
            Case("un solo máximo", _one_peak),
            Case("dos vecinas iguales no son un máximo", _flat),
            example(torch.tensor([9.0, 1.0, 4.0, 3.0, 5.0, 7.0, 6.0])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "los-dos-mas-altos",
                "has dado los dos valores más altos: pueden ser dos casillas del mismo pico",
                (_largest,),
            ),
            Mistake(
                "por-altura",
                "los has ordenado por su altura: se piden de menor a mayor posición",
                (_by_height,),
            ),
            Mistake(
                "los-dos-primeros",
                "has dado los dos primeros máximos: se piden los dos más altos",
                (_first_two,),
            ),
            Mistake(
                "bordes",
                "has contado un borde como máximo: le falta un vecino",
                (_with_edges,),
            ),
            Mistake(
                "corridos",
                "las posiciones están corridas una: se cuentan desde el principio, con el borde",
                (_shifted,),
            ),
        ),
        differentiable=False,
    ),
)
