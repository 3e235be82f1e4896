"""Ejercicio abierto: ¿lo más mirado es lo que cuenta? Taparlo y ver qué pasa."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _drop_by_loops(weights, mask, n):
    kept = mask.clone()
    for row in range(len(weights)):
        visible = [i for i in range(weights.shape[1]) if bool(mask[row, i])]
        for i in sorted(visible, key=lambda i: -float(weights[row, i]))[: int(n)]:
            kept[row, i] = False
    return kept


def _drop(largest=True, hidden=True, combine=True, invert=False):
    """La máscara nueva con alguna pieza cambiada: así se fabrican los errores típicos."""

    def drop(weights, mask, n):
        seen = (
            weights.masked_fill(~mask, float("-inf" if largest else "inf")) if hidden else weights
        )
        places = seen.topk(int(n), dim=-1, largest=largest).indices
        top = torch.zeros_like(mask).scatter(-1, places, True)
        if invert:
            return top & mask
        return mask & ~top if combine else ~top

    return drop


def _case(lengths, width, n, seed):
    """Filas con tantas posiciones visibles como digan `lengths`; las tapadas también pesan."""

    def make():
        weights = torch.rand(len(lengths), width, generator=seeded(seed))
        return weights, torch.arange(width) < torch.tensor(lengths)[:, None], torch.tensor(n)

    return make


DROPPING = Exercise(
    Card(
        id="tapar-lo-mirado",
        title="¿Lo más mirado es lo que cuenta?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="comprobar si un mapa de atención señala lo que el modelo necesita",
        hints=(
            "Para without_top: pon −∞ donde la máscara es False, para que el relleno no se cuele "
            "entre los mayores, y usa topk.",
            "torch.zeros_like(mask).scatter(-1, lugares, True) marca esos lugares; el resultado es "
            "la máscara y no lo marcado.",
            "Para el experimento: tapar palabras siempre quita información. ¿Con qué hay que "
            "comparar el tapar las más miradas para que la comparación diga algo?",
        ),
    ),
    Task(
        function="without_top",
        cases=(
            Case("filas de distinta longitud", _case((5, 3, 6), 6, 2, seed=0)),
            Case("sin relleno", _case((4, 4), 4, 1, seed=1)),
            Case("una sola fila", _case((7,), 9, 3, seed=2)),
            Case("todos los ejes iguales", _case((4, 3, 4, 3), 4, 2, seed=3)),
            example(
                torch.tensor([[0.2, 0.5, 0.1, 0.9]]),
                torch.tensor([[True, True, True, False]]),
                torch.tensor(1),
            ),
        ),
        reference=_drop_by_loops,
        mistakes=(
            Mistake(
                "las-menos-miradas",
                "has tapado las de menor peso",
                (_drop(largest=False),),
            ),
            Mistake(
                "relleno-entre-las-mayores",
                "el relleno se ha colado entre las mayores: sus pesos no cuentan, ponles −∞ antes "
                "de elegir",
                (_drop(hidden=False),),
            ),
            Mistake(
                "relleno-destapado",
                "has destapado el relleno: lo que la máscara ya tapaba sigue tapado",
                (_drop(combine=False), _drop(combine=False, hidden=False)),
            ),
            Mistake(
                "al-reves",
                "has dejado solo las más miradas, y se pide lo contrario",
                (_drop(invert=True),),
            ),
        ),
        differentiable=False,
    ),
)
