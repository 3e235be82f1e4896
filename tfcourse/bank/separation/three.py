"""Ejercicio de código: la pérdida con tres hablantes."""

from itertools import permutations

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(scores):
    """Mezcla a mezcla, probando los órdenes uno a uno."""
    total = 0.0
    for table in scores:
        count = len(table)
        sums = [
            sum(table[guess, person] for person, guess in enumerate(option))
            for option in permutations(range(count))
        ]
        total = total + max(sums, key=float) / count
    return -total / len(scores)


def _sums(scores):
    """La suma de cada orden en cada mezcla, (B, órdenes)."""
    count = scores.shape[1]
    orders = torch.tensor(list(permutations(range(count))))
    return scores[:, orders, torch.arange(count)].sum(-1)


def _variant(pick="max", sign=-1.0, people=True, common=False):
    def loss(scores):
        sums = _sums(scores)
        if common:
            sums = sums.mean(0, keepdim=True)
        value = {"max": sums.amax(1), "min": sums.amin(1), "mean": sums.mean(1)}[pick]
        return sign * value.mean() / (scores.shape[1] if people else 1)

    return loss


def _fixed(scores):
    return -scores.diagonal(dim1=1, dim2=2).mean()


def _repeated(scores):
    return -scores.amax(dim=1).mean()


def _swaps(scores):
    """Solo el orden de los archivos y el contrario: lo que basta con dos."""
    straight = scores.diagonal(dim1=1, dim2=2).mean(-1)
    crossed = scores.flip(1).diagonal(dim1=1, dim2=2).mean(-1)
    return -torch.maximum(straight, crossed).mean()


def _case(batch, count, seed=0):
    def make():
        generator = seeded(seed)
        return (10 * torch.randn((batch, count, count), generator=generator),)

    return make


THREE = Exercise(
    Card(
        id="tres-hablantes",
        title="Tres hablantes",
        kind="codigo",
        difficulty=3,
        minutes=22,
        points=3,
        objective="escribir la pérdida invariante a la permutación con cualquier número de voces",
        hints=(
            "itertools.permutations(range(S)) da todos los órdenes: a la persona k le toca la "
            "salida orden[k].",
            "scores[:, orden, torch.arange(S)] da las S casillas de un orden en todo el lote.",
            "Apila las medias de todos los órdenes, quédate con el máximo de cada mezcla y da "
            "menos la media del lote.",
        ),
    ),
    Task(
        function="any_order_loss",
        cases=(
            Case("dos personas", _case(3, 2)),
            Case("tres personas", _case(4, 3, seed=1)),
            Case("una sola mezcla", _case(1, 3, seed=2)),
            Case("cuatro personas", _case(5, 4, seed=3)),
            example(torch.tensor([[[1.0, 5.0], [4.0, 6.0]]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "orden-fijo",
                "has comparado cada salida con la persona de su mismo número: hay que probar todos "
                "los órdenes",
                (_fixed,),
            ),
            Mistake(
                "salida-repetida",
                "has tomado la mejor salida de cada persona por separado: dos personas podrían "
                "quedarse con la misma",
                (_repeated,),
            ),
            Mistake(
                "solo-dos-ordenes",
                "has probado solo el orden y su contrario: con tres personas hay seis",
                (_swaps,),
            ),
            Mistake(
                "el-peor",
                "te has quedado con el peor de los órdenes: la SI-SNR es mejor cuanto mayor",
                (_variant(pick="min"), _variant(pick="min", sign=1.0)),
            ),
            Mistake(
                "media-de-ordenes",
                "has hecho la media de todos los órdenes: se toma el mejor",
                (_variant(pick="mean"),),
            ),
            Mistake(
                "signo",
                "te falta el signo menos: lo que se minimiza es menos la SI-SNR",
                (_variant(sign=1.0),),
            ),
            Mistake(
                "un-orden-para-todas",
                "has elegido un solo orden para todo el lote: cada mezcla tiene el suyo",
                (_variant(common=True),),
            ),
            Mistake(
                "suma",
                "has sumado las personas: se pide la media",
                (_variant(people=False),),
            ),
        ),
        tolerance=1e-4,
    ),
)
