"""Ejercicio de código: un paso del maestro, con su centro y su temperatura."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

COLD, WARM, KEPT = 0.04, 0.1, 0.9


def _by_loops(student, teacher, center):
    """Imagen a imagen y prototipo a prototipo."""
    losses = []
    for said, told in zip(student, teacher, strict=True):
        sharp = [(told[k] - center[k]) / COLD for k in range(len(center))]
        top = max(float(value) for value in sharp)
        powers = [(value - top).exp() for value in sharp]
        logs = said / WARM - torch.logsumexp(said / WARM, 0)
        losses.append(-sum(p / sum(powers) * log for p, log in zip(powers, logs, strict=True)))
    mean = sum(row for row in teacher) / len(teacher)
    return torch.stack(losses).sum() / len(losses), KEPT * center + (1 - KEPT) * mean


def _variant(
    cold=COLD,
    warm=WARM,
    minus=1,
    student_too=False,
    kept=KEPT,
    from_shares=False,
    sign=-1,
    back=False,
):
    """El paso, con alguna pieza cambiada."""

    def teacher_step(student, teacher, center):
        shares = ((teacher - minus * center) / cold).softmax(-1)
        own = student - center if student_too else student
        if back:
            loss = sign * ((own / warm).softmax(-1) * shares.clamp_min(1e-30).log()).sum(-1).mean()
        else:
            loss = sign * (shares * (own / warm).log_softmax(-1)).sum(-1).mean()
        mean = shares.mean(0) if from_shares else teacher.mean(0)
        return loss, kept * center + (1 - kept) * mean

    return teacher_step


TEACHER_STEP = Exercise(
    Card(
        id="un-paso-del-maestro",
        title="Un paso del maestro",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="escribir la pérdida del alumno y mover el centro del maestro",
        hints=(
            "El reparto del maestro es el softmax de (lo que dice − centro) / 0,04; el del alumno, "
            "sin centro, con 0,1.",
            "La entropía cruzada es −Σ maestro · ln alumno. Usa `log_softmax`: el logaritmo de un "
            "softmax muy afilado da −∞.",
            "El centro nuevo sale de lo que dice el maestro antes del softmax, y no de su reparto.",
        ),
    ),
    Task(
        function="teacher_step",
        cases=(
            Case(
                "5 imágenes, 4 prototipos",
                random_case((5, 4), (5, 4), (4,), seed=0, dtype=torch.float64),
            ),
            Case(
                "2 imágenes, 7 prototipos",
                random_case((2, 7), (2, 7), (7,), seed=1, dtype=torch.float64),
            ),
            Case("de 32 bits", random_case((6, 3), (6, 3), (3,), seed=2)),
            example(
                torch.tensor([[0.0, 0.0]], dtype=torch.float64),
                torch.tensor([[1.0, 3.0]], dtype=torch.float64),
                torch.tensor([1.0, 1.0], dtype=torch.float64),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake("sin-centrar", "falta restar el centro al maestro", (_variant(minus=0),)),
            Mistake("suma-el-centro", "el centro se resta, y no se suma", (_variant(minus=-1),)),
            Mistake(
                "temperaturas-cambiadas",
                "has cambiado las temperaturas: la baja es la del maestro",
                (_variant(cold=WARM, warm=COLD),),
            ),
            Mistake(
                "sin-afilar",
                "el maestro va con su temperatura, 0,04, y no con la del alumno",
                (_variant(cold=WARM),),
            ),
            Mistake(
                "centra-al-alumno",
                "al alumno no se le resta el centro",
                (_variant(student_too=True),),
            ),
            Mistake(
                "centro-al-reves",
                "el centro conserva nueve décimas partes de lo que era, y no una",
                (_variant(kept=1 - KEPT),),
            ),
            Mistake(
                "centro-del-reparto",
                "el centro es la media de lo que dice el maestro antes del softmax",
                (_variant(from_shares=True),),
            ),
            Mistake("sin-el-menos", "falta el signo menos de la entropía", (_variant(sign=1),)),
        ),
        outputs=("la pérdida", "el centro"),
    ),
)
