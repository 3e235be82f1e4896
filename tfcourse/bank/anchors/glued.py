"""Ejercicio de código: los tres fallos de una atención que separa contenido y posición."""

import math

import torch

from tfcourse.exercises.data import random_case, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(c, k, p, r, n_heads):
    size = c.shape[1] // n_heads
    heads = []
    for head in range(n_heads):
        own = range(head * size, (head + 1) * size)
        rows = []
        for i in range(len(c)):
            scores = [
                sum(float(c[i, d] * k[j, d] + p[i, d] * r[j, d]) for d in own) / math.sqrt(2 * size)
                for j in range(len(k))
            ]
            rows.append(softmax_by_exp(scores))
        heads.append(rows)
    return torch.tensor(heads).to(c.dtype)


def _variant(together=False, axis=-1, scale="pegado", cross=False):
    def weights(c, k, p, r, n_heads):
        def split(x):
            return x.unflatten(-1, (n_heads, -1)).transpose(0, 1)

        if together:
            q, keys = split(torch.cat([c, p], -1)), split(torch.cat([k, r], -1))
        elif cross:
            q, keys = split(c + p), split(k + r)
        else:
            q, keys = (torch.cat([split(a), split(b)], -1) for a, b in ((c, p), (k, r)))
        size = {
            "pegado": 2 * c.shape[-1] // n_heads,
            "todo": c.shape[-1],
            "cabeza": c.shape[-1] // n_heads,
        }[scale]
        return (q @ keys.mT / math.sqrt(size)).softmax(axis)

    return weights


def _case(n_queries, n_cells, d_model, n_heads, seed):
    tensors = random_case(
        (n_queries, d_model), (n_cells, d_model), (n_queries, d_model), (n_cells, d_model),
        seed=seed,
    )  # fmt: skip
    return lambda: (*tensors(), n_heads)


GLUED = Exercise(
    Card(
        id="tres-fallos-al-separar",
        title="Tres fallos al separar contenido y posición",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar y arreglar los fallos de una atención que se ejecuta sin errores",
        hints=(
            "¿Cuánto suman los pesos de una consulta? Compruébalo con dos consultas.",
            "Si se pega antes de repartir en cabezas, ¿qué le toca a la primera?",
            "Se divide entre la raíz de lo que mide cada vector que se multiplica.",
        ),
    ),
    Task(
        function="separated_weights",
        cases=(
            Case("dos cabezas", _case(3, 5, 8, 2, 0)),
            Case("cuatro cabezas", _case(4, 6, 16, 4, 1)),
            Case("una sola consulta", _case(1, 7, 12, 3, 2)),
            Case("tantas consultas como casillas", _case(5, 5, 12, 2, 3)),
            example(
                *map(
                    torch.tensor,
                    (
                        [[0.0, 0.0]],
                        [[1.0, 1.0], [1.0, 1.0]],
                        [[2.0, 0.0]],
                        [[math.log(3), 0.0], [0.0, 0.0]],
                    ),
                ),
                1,
                in_words=True,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "pegado-antes-de-repartir",
                "has pegado antes de repartir en cabezas: las primeras solo tienen contenido, y "
                "las últimas, solo posición",
                tuple(
                    _variant(together=True, axis=axis, scale=scale)
                    for axis in (-1, -2)
                    for scale in ("pegado", "todo", "cabeza")
                ),
            ),
            Mistake(
                "softmax-entre-consultas",
                "los pesos de cada consulta no suman 1: el softmax va entre las casillas",
                tuple(_variant(axis=-2, scale=scale) for scale in ("pegado", "todo", "cabeza")),
            ),
            Mistake(
                "escala",
                "la escala no es esa: cada vector pegado mide el doble que una cabeza",
                (_variant(scale="todo"), _variant(scale="cabeza")),
            ),
            Mistake(
                "sumadas",
                "has sumado contenido y posición: así vuelven los cuatro cruces",
                tuple(_variant(cross=True, scale=s) for s in ("pegado", "todo", "cabeza")),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
