"""Ejercicio de código: la máscara con prefijo de varios ejemplos empaquetados."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_cells(prefixes, lengths):
    total = sum(lengths)
    mask = torch.zeros(total, total, dtype=torch.bool)
    start = 0
    for prefix, length in zip(prefixes, lengths, strict=True):
        for query in range(length):
            for key in range(length):
                mask[start + query, start + key] = key < prefix or key <= query
        start += length
    return mask


def _variant(kind):
    def mask(prefixes, lengths):
        whose = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))
        place = torch.cat([torch.arange(length) for length in lengths])
        given = place < torch.tensor(prefixes)[whose]
        same = whose[:, None] == whose
        causal = torch.ones_like(same).tril()
        return {
            "juntos": causal | (same & given),
            "prefijos-a-la-vista": (same & causal) | given.expand_as(same),
            "causal": same & causal,
            "entera": same,
            "filas": same & (causal | given[:, None]),
            "sin-prefijo": same & (causal & ~given | given & given[:, None]),
            "solo-el-primero": same & (causal | (torch.arange(len(place)) < prefixes[0])),
        }[kind]

    return mask


def _case(prefixes, lengths):
    return lambda: (list(prefixes), list(lengths))


def _random_case(seed):
    def make():
        draw = chance(seed)
        lengths = [draw.randint(4, 8) for _ in range(3)]
        return [draw.randint(2, length - 2) for length in lengths], lengths

    return make


PREFIX = Exercise(
    Card(
        id="mascara-de-varios",
        title="Varios ejemplos en una secuencia",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="deducir una máscara a partir de quién debe ver a quién",
        hints=(
            "Haz primero dos listas, una entrada por posición: de qué ejemplo es y qué lugar ocupa "
            "dentro de él.",
            "Una posición ve a otra si son del mismo ejemplo y, además, la otra va antes o es del "
            "prefijo.",
            "Tres condiciones: `mismo & (causal | prefijo)`, con las claves en las columnas.",
        ),
    ),
    Task(
        function="packed_mask",
        cases=(
            Case("un solo ejemplo", _case((3,), (5,))),
            Case("dos ejemplos", _case((2, 1), (3, 4))),
            Case("el segundo, con un prefijo más largo", _case((1, 3), (3, 5))),
            Case("sin prefijos", _case((0, 0), (3, 2))),
            Case("todo prefijo", _case((2, 3), (2, 3))),
            Case("tres ejemplos al azar", _random_case(seed=1)),
            Case("otros tres al azar", _random_case(seed=2)),
            example([2, 1], [3, 1]),
        ),
        reference=_by_cells,
        mistakes=(
            Mistake(
                "se-ven-entre-si",
                "un ejemplo ve a los anteriores: van seguidos, pero no tienen que verse",
                (_variant("juntos"),),
            ),
            Mistake(
                "prefijos-a-la-vista",
                "los prefijos se ven desde todos los ejemplos: cada uno, solo desde el suyo",
                (_variant("prefijos-a-la-vista"),),
            ),
            Mistake(
                "solo-causal",
                "falta abrir los prefijos: dentro de cada uno todos se ven",
                (_variant("causal"),),
            ),
            Mistake(
                "todo-visible",
                "cada ejemplo se ve entero: lo que va detrás del prefijo solo mira hacia atrás",
                (_variant("entera"),),
            ),
            Mistake(
                "filas-y-no-columnas",
                "has abierto las filas del prefijo: así ve lo que hay que escribir; lo que se abre "
                "son sus columnas, las claves",
                (_variant("filas"),),
            ),
            Mistake(
                "no-ven-el-prefijo",
                "lo que se escribe no ve su prefijo: se tiene que poder leer",
                (_variant("sin-prefijo"),),
            ),
            Mistake(
                "solo-el-primer-prefijo",
                "solo has abierto el prefijo del primer ejemplo: cada uno tiene el suyo",
                (_variant("solo-el-primero"),),
            ),
        ),
        differentiable=False,
    ),
)
