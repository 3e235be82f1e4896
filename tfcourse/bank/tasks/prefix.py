"""Ejercicio de código: la máscara causal con prefijo."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_cells(n_prefix, length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for query in range(length):
        for key in range(length):
            mask[query, key] = key < n_prefix or key <= query
    return mask


def _variant(kind):
    def mask(n_prefix, length):
        query, key = torch.arange(length)[:, None], torch.arange(length)
        causal = (key <= query).expand(length, length)
        return {
            "causal": causal,
            "entera": torch.ones(length, length, dtype=torch.bool),
            "filas": causal | (query < n_prefix),
            "bloque": ((key < n_prefix) & (query < n_prefix)) | (causal & (key >= n_prefix)),
            "uno-mas": causal | (key <= n_prefix),
            "contraria": ~(causal | (key < n_prefix)),
        }[kind]

    return mask


def _case(n_prefix, length):
    return lambda: (n_prefix, length)


def _random_case(seed):
    def make():
        draw = chance(seed)
        length = draw.randint(8, 20)
        return draw.randint(2, length - 2), length

    return make


PREFIX = Exercise(
    Card(
        id="mascara-con-prefijo",
        title="La máscara con prefijo",
        kind="codigo",
        difficulty=1,
        minutes=10,
        points=2,
        objective="decir con una máscara quién puede mirar a quién",
        hints=(
            "Empieza por la causal: la clave k se ve desde la consulta q si k ≤ q.",
            "Las claves del prefijo se ven desde todas las consultas, también las anteriores.",
            "Dos condiciones unidas por «o»: `|` entre tensores booleanos.",
        ),
    ),
    Task(
        function="prefix_mask",
        cases=(
            Case("3 de prefijo y 5 en total", _case(3, 5)),
            Case("sin prefijo", _case(0, 4)),
            Case("todo prefijo", _case(4, 4)),
            Case("2 de prefijo y 6 en total", _case(2, 6)),
            Case("un prefijo al azar", _random_case(seed=1)),
            Case("otro prefijo al azar", _random_case(seed=2)),
        ),
        reference=_by_cells,
        mistakes=(
            Mistake(
                "solo-causal",
                "es la causal: el prefijo tiene que verse entero desde dentro de él",
                (_variant("causal"),),
            ),
            Mistake(
                "todo-visible",
                "se ve todo: lo que va detrás del prefijo solo puede mirar hacia atrás",
                (_variant("entera"),),
            ),
            Mistake(
                "filas-y-no-columnas",
                "has abierto las filas del prefijo: así ve el futuro que hay que escribir; lo que "
                "se abre son sus columnas, las claves",
                (_variant("filas"),),
            ),
            Mistake(
                "no-ven-el-prefijo",
                "lo que se escribe no ve el prefijo: se tiene que poder leer desde todas partes",
                (_variant("bloque"),),
            ),
            Mistake(
                "uno-de-mas",
                "has abierto una clave de más: el prefijo va de la 0 a la n_prefix − 1",
                (_variant("uno-mas"),),
            ),
            Mistake(
                "al-contrario",
                "es justo la contraria: aquí True significa «puede mirar»",
                (_variant("contraria"),),
            ),
        ),
        differentiable=False,
    ),
)
