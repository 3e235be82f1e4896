"""Ejercicio de código: encontrar el fallo de un redondeo por grupos."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(weight, bits, group):
    """Peso a peso."""
    most, rows = 2 ** (bits - 1) - 1, []
    for row in weight.tolist():
        found = []
        for start in range(0, len(row), group):
            part = row[start : start + group]
            scale = max(abs(w) for w in part) / most
            found += [round(w / scale) * scale for w in part]
        rows.append(found)
    return torch.tensor(rows)


def _variant(absolute=True, by_group=True, most=lambda b: 2 ** (b - 1) - 1, rounded=torch.round):
    def reconstruct(weight, bits, group):
        grouped = weight.unflatten(1, (-1, group if by_group else weight.shape[1]))
        size = grouped.abs() if absolute else grouped
        top = most(bits)
        scale = size.amax(dim=-1, keepdim=True) / top
        return (rounded(grouped / scale).clamp(-top, top) * scale).flatten(1)

    return reconstruct


def _case(rows, columns, bits, group, seed):
    def make():
        (weight,) = random_tensors((rows, columns), seed=seed)
        weight[:, 0] = -3.0 - weight[:, 0].abs()  # el mayor de su grupo es negativo
        return weight, bits, group

    return make


GROUPS = Exercise(
    Card(
        id="el-mayor-es-negativo",
        title="Un fallo que depende del signo",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="encontrar por qué un redondeo por grupos recorta justo los pesos grandes",
        hints=(
            "Prueba con un solo grupo de pesos positivos: acierta. Cámbiales el signo a todos.",
            "La escala sale del mayor peso, y los enteros se recortan a ± `most`. ¿Qué pasa con un "
            "grupo cuyo peso más grande, en tamaño, es negativo?",
            "Falta `.abs()` antes de buscar el mayor de cada grupo.",
        ),
    ),
    Task(
        function="round_by_groups",
        cases=(
            Case("4 bits, grupos de 4", _case(3, 8, 4, 4, 0)),
            Case("8 bits, grupos de 2", _case(2, 6, 8, 2, 1)),
            Case("un solo grupo por fila", _case(2, 5, 4, 5, 2)),
            example(torch.tensor([[-7.0, 2.4]]), 4, 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-valor-absoluto",
                "el fallo sigue ahí: la escala sale del mayor con su signo, y un peso negativo más "
                "grande se recorta",
                (_variant(absolute=False),),
            ),
            Mistake(
                "por-filas",
                "has usado una sola escala por fila: hay una por grupo",
                (_variant(by_group=False),),
            ),
            Mistake(
                "un-entero-de-mas",
                "el mayor entero es 2^(bits − 1) − 1: con 4 bits, 7",
                (_variant(most=lambda b: 2 ** (b - 1)), _variant(most=lambda b: 2**b - 1)),
            ),
            Mistake(
                "trunca",
                "has tirado los decimales: hay que redondear al entero más cercano",
                (_variant(rounded=torch.trunc), _variant(rounded=torch.floor)),
            ),
        ),
        tolerance=1e-5,
        differentiable=False,
    ),
)
