"""Ejercicio de código: el núcleo de una distribución."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(probabilities, p):
    rows = []
    for row in probabilities.tolist():
        order = sorted(range(len(row)), key=lambda i: -row[i])
        kept, total = [], 0.0
        for i in order:
            if kept and total >= p:
                break
            kept.append(i)
            total += row[i]
        rows.append([row[i] / total if i in kept else 0.0 for i in range(len(row))])
    return torch.tensor(rows, dtype=probabilities.dtype)


def _variant(inside, *, share=True, back=True):
    def trim(probabilities, p):
        ordered = probabilities.sort(dim=-1, descending=True)
        kept = torch.where(inside(ordered.values, p), ordered.values, 0.0)
        if share:
            kept = kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-9)
        return torch.zeros_like(kept).scatter(-1, ordered.indices, kept) if back else kept

    return trim


def _before(values, p):
    return values.cumsum(dim=-1) - values < p


def _until(values, p):
    return values.cumsum(dim=-1) <= p


def _one_more(values, p):
    sums = values.cumsum(dim=-1) - values
    return torch.cat([torch.ones_like(sums[:, :1]).bool(), (sums < p)[:, :-1]], dim=-1)


def _smallest(probabilities, p):
    ordered = probabilities.sort(dim=-1)
    kept = torch.where(_before(ordered.values, p), ordered.values, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, ordered.indices, kept)


def _case(rows, size, p, seed, sharp=2.0):
    def make():
        generator = seeded(seed)
        return (sharp * torch.randn(rows, size, generator=generator)).softmax(-1), p

    return make


NUCLEUS = Exercise(
    Card(
        id="nucleo",
        title="El núcleo",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="recortar una distribución por su masa y devolverla en su orden",
        hints=(
            "Ordena cada fila de mayor a menor y acumula. Un token se queda si lo que suman los "
            "*anteriores* todavía no llega a p.",
            "probabilities.sort(descending=True) da también los índices: hacen falta para devolver "
            "cada probabilidad a su sitio.",
            "torch.zeros_like(x).scatter(-1, indices, kept) deshace el orden. No olvides volver a "
            "repartir para que la fila sume 1.",
        ),
    ),
    Task(
        function="nucleus",
        cases=(
            Case("3 filas de 8 tokens, p = 0,8", _case(3, 8, 0.8, 0)),
            Case("filas muy seguras, p = 0,5", _case(4, 6, 0.5, 1, sharp=5.0)),
            Case("filas casi planas, p = 0,9", _case(2, 12, 0.9, 2, sharp=0.2)),
            Case("p tan pequeño que solo queda uno", _case(3, 5, 0.01, 3)),
            Case("p = 1: no se quita nada", _case(2, 5, 1.0, 4)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "falta-el-que-cruza",
                "te has dejado fuera el token con el que se llega a p: mira lo que suman los "
                "anteriores, sin contarlo a él",
                (_variant(_until),),
            ),
            Mistake(
                "uno-de-mas",
                "sobra uno: se para en cuanto se llega a p",
                (_variant(_one_more),),
            ),
            Mistake(
                "sin-repartir",
                "la fila no suma 1: divide entre la suma de lo que queda",
                (_variant(_before, share=False),),
            ),
            Mistake(
                "sin-deshacer",
                "los has devuelto ordenados: cada probabilidad vuelve a la posición de su token",
                (_variant(_before, back=False),),
            ),
            Mistake(
                "los-menores",
                "has acumulado desde el menos probable: el núcleo son los más probables",
                (_smallest,),
            ),
            Mistake(
                "umbral",
                "has comparado cada probabilidad con p, o con 1 − p, en vez de lo que suman",
                (
                    _variant(lambda values, p: values >= 1 - p),
                    _variant(lambda values, p: values >= p),
                ),
            ),
        ),
        differentiable=False,
    ),
)
