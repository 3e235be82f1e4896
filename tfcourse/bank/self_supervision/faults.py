"""Ejercicio de código: encontrar los tres fallos de un alumno que aprende de su maestro."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Task, combined, example

KEPT = 0.75


def _by_loops(student, teacher, weights, followed):
    """Vista a vista."""
    total = 0.0
    for image, told in zip(student, teacher, strict=True):
        for mine, other in ((0, 1), (1, 0)):
            logs = image[mine] - torch.logsumexp(image[mine], 0)
            powers = (told[other] - told[other].max()).exp()
            total = total - (powers / powers.sum() * logs).sum()
    moved = [followed[i] + (weights[i] - followed[i]) * (1 - KEPT) for i in range(len(weights))]
    return total / (2 * len(student)), torch.stack(moved)


def _faulty(same: bool, swapped: bool, fast: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def pupil(student, teacher, weights, followed):
        shares = teacher.softmax(-1)
        if not same:
            shares = shares.flip(1)
        logs = student.log_softmax(-1)
        if swapped:
            loss = -(student.softmax(-1) * shares.log()).sum(-1).mean()
        else:
            loss = -(shares * logs).sum(-1).mean()
        kept = 1 - KEPT if fast else KEPT
        return loss, kept * followed + (1 - kept) * weights

    return pupil


FAULTS = {
    "vistas": "cada uno mira la misma vista: el maestro tiene que mirar la otra",
    "papeles": "los papeles están cambiados: el logaritmo es el del alumno",
    "media": "el maestro toma del alumno lo que debería conservar de sí",
}
FAULTS_PUPIL = Exercise(
    Card(
        id="fallos-del-alumno",
        title="Tres fallos del alumno",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encontrar los fallos de un alumno y su maestro en casos que se conocen",
        hints=(
            "Prueba con un maestro seguro de la primera vista y dudoso de la segunda: ¿a qué vista "
            "del alumno le toca cada cosa?",
            "La pérdida con un maestro muy seguro tiene que ser menos el logaritmo de lo que el "
            "alumno da a ese prototipo.",
            "Con pesos del alumno iguales a 1 y del maestro iguales a 0, el maestro tiene que "
            "acabar en 0,25.",
        ),
    ),
    Task(
        function="pupil",
        cases=(
            Case(
                "4 imágenes, 5 prototipos",
                random_case((4, 2, 5), (4, 2, 5), (3,), (3,), seed=0, dtype=torch.float64),
            ),
            Case(
                "2 imágenes, 3 prototipos",
                random_case((2, 2, 3), (2, 2, 3), (6,), (6,), seed=1, dtype=torch.float64),
            ),
            Case("de 32 bits", random_case((3, 2, 4), (3, 2, 4), (2,), (2,), seed=2)),
            example(
                torch.tensor([[[0.0, 0.0], [0.0, 0.0]]], dtype=torch.float64),
                torch.tensor([[[1.0, 0.0], [0.0, 2.0]]], dtype=torch.float64),
                torch.tensor([1.0], dtype=torch.float64),
                torch.tensor([0.0], dtype=torch.float64),
            ),
        ),
        reference=_by_loops,
        mistakes=tuple(combined(FAULTS, _faulty)),
        outputs=("la pérdida", "los pesos del maestro"),
    ),
)
