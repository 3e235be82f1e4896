"""Ejercicio de código: los tres fallos de una atención enmascarada."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(logits, grid):
    n, height, width = logits.shape
    rows, columns = grid
    step_y, step_x = height // rows, width // columns
    answers = []
    for query in range(n):
        flat = [
            float(logits[query, y : y + step_y, x : x + step_x].double().mean()) > 0
            for y in range(0, height, step_y)
            for x in range(0, width, step_x)
        ]
        answers.append(flat if any(flat) else [True] * len(flat))
    return torch.tensor(answers)


def _variant(bar=0.0, squash=False, rescue="una a una", negated=False, columns=False, closed=False):
    def allowed(logits, grid):
        step = (logits.shape[1] // grid[0], logits.shape[2] // grid[1])
        small = F.avg_pool2d(logits[None], step)[0]
        small = small.transpose(1, 2) if columns else small
        flat = (small.sigmoid() if squash else small).flatten(1)
        inside = flat >= bar if closed else flat > bar
        if rescue == "una a una":
            inside = inside | ~inside.any(dim=1, keepdim=True)
        elif rescue == "a la vez" and not inside.any():
            inside = torch.ones_like(inside)
        return ~inside if negated else inside

    return allowed


def _case(n, grid, step, seed, shy=()):
    def make():
        logits = 4 * torch.randn(n, grid[0] * step, grid[1] * step, generator=seeded(seed))
        for query in shy:
            logits[query] = -logits[query].abs() - 1
        return logits, grid

    return make


def _just_at_half():
    """Casillas de media cero: justo un medio de probabilidad, que no basta."""
    return torch.tensor([[[1.0, -1.0, 2.0, 2.0], [0.0, 0.0, -3.0, 1.0]]]), (2, 2)


LOOKING = Exercise(
    Card(
        id="tres-fallos-al-mirar",
        title="Tres fallos en la atención enmascarada",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar y arreglar los fallos de una máscara que se ejecuta sin errores",
        hints=(
            "¿Qué valores puede tomar una sigmoide? ¿Cuándo pasa de un medio?",
            "Prueba con dos consultas: una que señala algo y otra que no señala nada.",
            "En el curso, `True` es «puede mirar»; en `nn.MultiheadAttention`, lo contrario.",
        ),
    ),
    Task(
        function="allowed",
        cases=(
            Case("todas ven algo", _case(2, (3, 4), 2, 0)),
            Case("una no señala nada", _case(3, (2, 5), 2, 1, shy=(1,))),
            Case("ninguna señala nada", _case(2, (2, 3), 2, 2, shy=(0, 1))),
            Case("muchas consultas", _case(12, (4, 2), 4, 3, shy=(5,))),
            Case("justo un medio", _just_at_half),
            example(torch.tensor([[[4.0, -1.0], [1.0, -1.0]]]), (1, 2)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "siempre-positiva",
                "una sigmoide es siempre mayor que 0, y así se mira todo: pasa de un medio cuando "
                "el logit pasa de 0",
                (
                    _variant(squash=True),
                    _variant(squash=True, negated=True),
                ),
            ),
            Mistake(
                "al-reves",
                "está al revés: en el curso, `True` significa «puede mirar»",
                tuple(_variant(rescue=kind, negated=True) for kind in ("una a una", "a la vez")),
            ),
            Mistake(
                "todas-o-ninguna",
                "has mirado si alguna consulta señala algo: se decide consulta a consulta",
                (_variant(rescue="a la vez"),),
            ),
            Mistake(
                "a-ciegas",
                "una consulta que no señala nada se queda a ciegas: déjala mirarlo todo",
                (_variant(rescue="nunca"), _variant(rescue="nunca", negated=True)),
            ),
            Mistake(
                "medio-logit",
                "has comparado el logit con 0,5: la probabilidad pasa de un medio cuando el logit "
                "pasa de 0",
                tuple(
                    _variant(bar=0.5, rescue=kind) for kind in ("una a una", "a la vez", "nunca")
                ),
            ),
            Mistake(
                "por-columnas",
                "has recorrido las casillas por columnas: van por filas",
                (_variant(columns=True),),
            ),
            Mistake(
                "justo-en-un-medio",
                "una casilla con justo un medio de probabilidad no la pasa: se pide más",
                (_variant(closed=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
