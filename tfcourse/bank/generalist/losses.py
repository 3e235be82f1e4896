"""Ejercicio de código: encontrar los fallos de la pérdida de una fila."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _surprise(logits, token):
    return logits.logsumexp(0) - logits[token]


def _by_loops(logits, ids, scored):
    losses = [
        _surprise(logits[row, place], ids[row, place + 1])
        for row in range(len(ids))
        for place in range(ids.shape[1] - 1)
        if scored[row, place + 1]
    ]
    return torch.stack(losses).mean()


def _variant(shift=1, flags=1, by_rows=False, everything=False, total=False):
    def row_loss(logits, ids, scored):
        rows = []
        for row in range(len(ids)):
            losses = [
                _surprise(logits[row, place], ids[row, place + shift])
                for place in range(ids.shape[1] - 1)
                if everything or scored[row, place + flags]
            ]
            rows.append(losses)
        if by_rows:
            return torch.stack([torch.stack(row).mean() for row in rows if row]).mean()
        flat = torch.stack([loss for row in rows for loss in row])
        return flat.sum() if total else flat.mean()

    return row_loss


def _case(n_rows, length, n_tokens, learnt, seed):
    """`learnt`: cuántos tokens se aprenden en cada fila; nunca el primero."""

    def make():
        g = seeded(seed)
        logits = 2 * torch.randn(n_rows, length, n_tokens, generator=g)
        ids = torch.randint(n_tokens, (n_rows, length), generator=g)
        scored = torch.zeros(n_rows, length, dtype=torch.bool)
        for row, count in enumerate(learnt):
            scored[row, 1 + torch.randperm(length - 1, generator=g)[:count]] = True
        return logits, ids, scored

    return make


LOSSES = Exercise(
    Card(
        id="perdida-de-una-fila",
        title="Dos fallos en la pérdida de Gato",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar los fallos de una pérdida que baja y no enseña lo que se quería",
        hints=(
            "Lo que sale en la posición l predice el token l + 1: los logits pierden la última y "
            "los tokens, la primera.",
            "La marca es la del token que se predice: `scored[:, 1:]`.",
            "Todos los tokens que se aprenden pesan lo mismo, estén en la fila que estén: "
            "`cross_entropy(logits[:, :-1][wanted], ids[:, 1:][wanted])`.",
        ),
    ),
    Task(
        function="row_loss",
        cases=(
            Case("dos filas", _case(2, 6, 5, (1, 4), 0)),
            Case("tres filas", _case(3, 9, 7, (2, 6, 1), 1)),
            Case("una fila", _case(1, 8, 4, (3,), 2)),
            Case("cuatro filas", _case(4, 7, 6, (1, 5, 2, 3), 3)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_variant(flags=0, by_rows=True),),
            ),
            Mistake(
                "marca-corrida",
                "la marca es la del token que se predice, el siguiente, y no la de quien predice",
                (_variant(flags=0),),
            ),
            Mistake(
                "media-de-medias",
                "has promediado cada fila y después las filas: los tokens de las filas con pocos "
                "pesan más",
                (_variant(by_rows=True),),
            ),
            Mistake(
                "se-predice-a-si-mismo",
                "cada posición predice el token que ya ha leído: falta correr los tokens",
                (_variant(shift=0),),
            ),
            Mistake(
                "se-aprende-todo",
                "has contado todos los tokens: de lo que solo se ve no se aprende",
                (_variant(everything=True),),
            ),
            Mistake(
                "suma-y-no-media",
                "has sumado los tokens: se pide la media",
                (_variant(total=True),),
            ),
        ),
    ),
)
