"""Ejercicio de código: encontrar los tres fallos de un LoRA que se ejecuta sin quejarse."""

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _entry_by_entry(x, weight, down, up, alpha):
    """La matriz fundida, número a número; y la salida, con ella."""
    rank = len(down)
    rows = []
    for i, row in enumerate(weight):
        fixed = [
            row[j] + alpha / rank * sum(up[i, k] * down[k, j] for k in range(rank))
            for j in range(len(row))
        ]
        rows.append(torch.stack(fixed))
    merged = torch.stack(rows)
    return torch.stack([(merged * one).sum(dim=1) for one in x]), merged


def _faulty(width: bool, twice: bool, turned: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def with_lora(x, weight, down, up, alpha):
        scale = alpha / down.shape[1 if width else 0]
        beside = x @ weight.T + scale * (x @ down.T @ up.T)
        change = down.T @ up.T if turned else up @ down
        return beside, weight + (scale * scale if twice else scale) * change

    return with_lora


def _scaled(scale):
    def with_lora(x, weight, down, up, alpha):
        merged = weight + scale(alpha, len(down)) * (up @ down)
        return x @ merged.T, merged

    return with_lora


FAULTS = {
    "anchura": "se divide entre la anchura de la entrada, y no entre el rango",
    "doble": "al fundir se multiplica dos veces por la escala",
    "traspuesta": "la corrección se suma traspuesta: solo cabe si la matriz es cuadrada",
}


def _case(n_rows, width, out, rank, seed):
    def make():
        shapes = ((n_rows, width), (out, width), (rank, width), (out, rank))
        tensors = random_tensors(*shapes, seed=seed, dtype=torch.float64)
        return *tensors, rank * chance(seed).choice((0.5, 1.5, 2.0, 3.0))

    return make


MERGING = Exercise(
    Card(
        id="fallos-al-fundir",
        title="Tres fallos al fundir",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encontrar los fallos de un LoRA comparando lo que calcula de dos maneras",
        hints=(
            "Las dos maneras tienen que dar lo mismo: compara `beside` con `x @ merged.T`, con una "
            "matriz cuadrada y con otra que no lo sea.",
            "`down` tiene r filas, y `up`, r columnas. ¿Entre qué divide la primera línea? ¿Qué "
            "forma tiene `up @ down`?",
            "La escala es α/r y se aplica una sola vez, también al fundir: W + (α/r) · B A.",
        ),
    ),
    Task(
        function="with_lora",
        cases=(
            Case("una matriz cuadrada", _case(3, 5, 5, 2, 0)),
            Case("otra cuadrada, de rango 1", _case(2, 4, 4, 1, 1)),
            Case("de 6 a 3", _case(4, 6, 3, 2, 2)),
            Case("de 3 a 7", _case(1, 3, 7, 2, 3)),
            example(
                torch.tensor([[1.0, 2.0]]),
                torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
                torch.tensor([[1.0, 1.0]]),
                torch.tensor([[1.0], [0.0]]),
                2.0,
            ),
        ),
        reference=_entry_by_entry,
        mistakes=(
            *combined(FAULTS, _faulty),
            Mistake(
                "sin-escala",
                "falta la escala: la corrección se multiplica por α/r",
                (_scaled(lambda alpha, rank: 1.0),),
            ),
            Mistake(
                "sin-el-rango",
                "has multiplicado por α: falta dividir entre el rango",
                (_scaled(lambda alpha, rank: alpha),),
            ),
        ),
        outputs=("la salida con LoRA", "la matriz fundida"),
    ),
)
