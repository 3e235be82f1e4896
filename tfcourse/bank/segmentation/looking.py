"""Ejercicio de código: qué casillas puede mirar cada consulta."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(probabilities):
    rows = []
    for own in probabilities.tolist():
        flat = [value > 0.5 for line in own for value in line]
        rows.append(flat if any(flat) else [True] * len(flat))
    return torch.tensor(rows)


def _variant(inside=lambda p: p > 0.5, rescue=True, columns=False, whole=False):
    def allowed(probabilities):
        p = probabilities.transpose(1, 2) if columns else probabilities
        seen = inside(p).flatten(1)
        if whole:
            return seen if seen.any() else torch.ones_like(seen)
        return seen | ~seen.any(dim=1, keepdim=True) if rescue else seen

    return allowed


def _case(n, rows, columns, seed, shy=()):
    def make():
        g = seeded(seed)
        p = 0.1 + 0.8 * torch.rand(n, rows, columns, generator=g)
        for query in shy:
            p[query] *= 0.4
        return (p,)

    return make


LOOKING = Exercise(
    Card(
        id="donde-puede-mirar",
        title="Dónde puede mirar cada consulta",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="construir la máscara de la atención enmascarada sin dejar a nadie a ciegas",
        hints=(
            "Una casilla se puede mirar si su probabilidad pasa de 0,5.",
            "Las casillas van por filas: `flatten(1)` deja una fila por consulta.",
            "`seen.any(dim=1, keepdim=True)` dice qué consultas ven algo; las que no, lo ven todo.",
        ),
    ),
    Task(
        function="allowed",
        cases=(
            Case("todas ven algo", _case(2, 3, 4, 0)),
            Case("una no señala nada", _case(3, 2, 5, 1, shy=(1,))),
            Case("ninguna señala nada", _case(2, 2, 3, 2, shy=(0, 1))),
            Case("una sola consulta", _case(1, 4, 2, 3)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "al-reves",
                "está al revés: en el curso, `True` significa «puede mirar»",
                (
                    _variant(inside=lambda p: p <= 0.5),
                    _variant(inside=lambda p: p <= 0.5, rescue=False),
                ),
            ),
            Mistake(
                "a-ciegas",
                "una consulta que no señala nada se queda a ciegas: déjala mirarlo todo",
                (_variant(rescue=False),),
            ),
            Mistake(
                "todas-o-ninguna",
                "has mirado si alguna consulta señala algo: se decide consulta a consulta",
                (_variant(whole=True),),
            ),
            Mistake(
                "por-columnas",
                "has recorrido las casillas por columnas: van por filas",
                (_variant(columns=True),),
            ),
            Mistake(
                "mayor-que-cero",
                "has comparado con 0: eso vale para los logits; una probabilidad, con 0,5",
                (_variant(inside=lambda p: p > 0),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
