"""Ejercicio abierto: qué voces cuesta separar."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(apart, gains, edges):
    """Tramo a tramo, mezcla a mezcla."""
    found = []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inside = [g for a, g in zip(apart.tolist(), gains.tolist(), strict=True) if low <= a < high]
        found.append(sum(inside) / len(inside))
    return torch.tensor(found)


def _variant(right=False, total=False, count=False, below=False, median=False):
    def means(apart, gains, edges):
        found = []
        for low, high in zip(edges[:-1], edges[1:], strict=True):
            inside = (apart > low) & (apart <= high) if right else (apart >= low) & (apart < high)
            if below:
                inside = apart < high
            chosen = gains[inside]
            if count:
                found.append(float(len(chosen)))
            elif median:
                found.append(float(chosen.median()))
            else:
                found.append(float(chosen.sum() if total else chosen.mean()))
        return torch.tensor(found)

    return means


def _case(size, edges, seed=0, whole=False):
    def make():
        generator = seeded(seed)
        apart = 12 * torch.rand(size, generator=generator)
        apart = apart.round() if whole else apart
        # En todos los tramos hay alguna mezcla, como dice el enunciado: una, justo en su principio.
        apart[: len(edges) - 1] = torch.tensor(edges[:-1])
        return apart, torch.randn(size, generator=generator), edges

    return make


HARD_PAIRS = Exercise(
    Card(
        id="que-voces-cuestan",
        title="¿Qué voces cuesta separar?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="averiguar con un experimento qué hace difícil una mezcla",
        hints=(
            "Para mean_by_gap: una máscara booleana por tramo, con la izquierda incluida y la "
            "derecha no.",
            "La media de las mezclas de un tramo: gains[dentro].mean(); torch.stack las une.",
            "Para el experimento: cambia una sola cosa de MixtureChanges, usa varias semillas al "
            "sortear las mezclas y pon al lado la máscara ideal.",
        ),
    ),
    Task(
        function="mean_by_gap",
        cases=(
            Case("dos tramos", _case(20, [0.0, 6.0, 12.0])),
            Case("justo en el borde", _case(40, [0.0, 3.0, 6.0, 9.0], seed=1, whole=True)),
            Case("desiguales", _case(25, [0.0, 1.5, 10.0, 20.0], seed=2)),
            Case("estrechos", _case(60, [2.0, 4.0, 6.0, 8.0], seed=3)),
            example(torch.tensor([1.0, 4.0, 5.0]), torch.tensor([2.0, 6.0, 8.0]), [0.0, 4.0, 8.0]),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "borde-derecho",
                "has incluido el borde derecho y no el izquierdo: cada tramo empieza en su "
                "izquierda",
                (_variant(right=True),),
            ),
            Mistake(
                "suma",
                "has sumado: se pide la media de cada tramo",
                (_variant(total=True),),
            ),
            Mistake(
                "cuentas",
                "has contado las mezclas de cada tramo: se pide su mejora media",
                (_variant(count=True),),
            ),
            Mistake(
                "acumulado",
                "has tomado todo lo que queda por debajo: cada tramo también tiene un principio",
                (_variant(below=True),),
            ),
            Mistake(
                "mediana",
                "has calculado la mediana: se pide la media",
                (_variant(median=True),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
