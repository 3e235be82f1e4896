"""Ejercicio de código: los triángulos de un banco de filtros."""

from itertools import accumulate

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(corners, bins):
    """Filtro a filtro y casilla a casilla."""
    rows = []
    points = corners.tolist()
    for left, center, right in zip(points, points[1:], points[2:], strict=False):
        row = []
        for frequency in bins.tolist():
            if left < frequency <= center:
                row.append((frequency - left) / (center - left))
            elif center < frequency < right:
                row.append((right - frequency) / (right - center))
            else:
                row.append(0.0)
        rows.append(row)
    return torch.tensor(rows)


def _variant(clamp=True, area=False, box=False, apart=False, upper=False, turned=False, rise=False):
    def triangles(corners, bins):
        step = 2 if apart else 1
        left, center, right = corners[:-2:step], corners[1:-1:step], corners[2::step]
        left, center, right = left[:, None], center[:, None], right[:, None]
        rising, falling = (bins - left) / (center - left), (right - bins) / (right - center)
        bank = torch.maximum(rising, falling) if upper else torch.minimum(rising, falling)
        if rise:
            bank = rising * (bins <= center)
        if clamp:
            bank = bank.clamp(min=0)
        if box:
            bank = (bank > 0).float()
        if area:
            bank = bank * 2 / (right - left)
        return bank.T if turned else bank

    return triangles


def _case(corners, n_bins, top):
    return lambda: (torch.tensor(corners), torch.linspace(0, top, n_bins))


def _random_case(n_filters, n_bins, seed):
    """Vértices a distancias al azar, y casillas desde 0 hasta pasado el último."""

    def make():
        random = chance(seed)
        corners = list(accumulate(random.uniform(60, 200) for _ in range(n_filters + 2)))
        return torch.tensor(corners), torch.linspace(0, corners[-1] + 50, n_bins)

    return make


TRIANGLES = Exercise(
    Card(
        id="triangulos-del-banco",
        title="Los triángulos del banco",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="construir un banco de filtros triangulares a partir de sus vértices",
        hints=(
            "El filtro m usa tres vértices seguidos: corners[m], corners[m + 1] y corners[m + 2].",
            "Es el mínimo de dos rectas, una que sube y otra que baja, y nunca menor que 0.",
            "Con [:, None] en los vértices sale una tabla (filtros, casillas) sin bucles.",
        ),
    ),
    Task(
        function="triangles",
        cases=(
            Case("un filtro", _case([0.0, 100.0, 300.0], 7, 300.0)),
            Case("dos filtros", _case([0.0, 50.0, 130.0, 260.0], 9, 300.0)),
            Case("equiespaciados", _case([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 21, 5.0)),
            Case("que no empiezan en 0", _case([100.0, 220.0, 400.0, 700.0, 1150.0], 33, 1200.0)),
            Case("vértices al azar", _random_case(5, 30, seed=1)),
            example(torch.tensor([0.0, 2.0, 4.0]), torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "negativos",
                "fuera del triángulo te quedan números negativos: el peso es 0",
                (_variant(clamp=False),),
            ),
            Mistake(
                "maximo",
                "has tomado el máximo de las dos rectas: el triángulo es el mínimo",
                (_variant(upper=True), _variant(upper=True, clamp=False)),
            ),
            Mistake(
                "cajas",
                "has hecho cajas: dentro de la banda, el peso sube hasta 1 y vuelve a bajar",
                (_variant(box=True),),
            ),
            Mistake(
                "misma-area",
                "has dividido entre la anchura: aquí se piden con altura 1",
                (_variant(area=True),),
            ),
            Mistake(
                "solo-sube",
                "te falta la bajada: desde el centro hasta el vértice de la derecha",
                (_variant(rise=True),),
            ),
            Mistake(
                "ejes-cambiados",
                "te falta trasponer: una fila por filtro y una columna por casilla",
                (_variant(turned=True),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
