"""Ejercicio de código: encontrar los tres fallos de una atención con relleno que no da error."""

import math

import torch

from tfcourse.exercises.data import chance, random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_loops(q, k, v, lengths):
    mixed = torch.zeros(*q.shape[:2], v.shape[-1], dtype=v.dtype)
    for b, length in enumerate(lengths.tolist()):
        for t, query in enumerate(q[b]):
            scores = [(query @ k[b, j] / math.sqrt(len(query))).item() for j in range(length)]
            for j, weight in enumerate(softmax_by_exp(scores)):
                mixed[b, t] += weight * v[b, j]
    return mixed


def _faulty(root: bool, real: bool, late: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def attend(q, k, v, lengths):
        scores = q @ k.mT / (q.shape[-1] if root else math.sqrt(q.shape[-1]))
        is_real = torch.arange(k.shape[1]) < lengths[:, None]
        hidden = (is_real if real else ~is_real)[:, None]
        if late:
            weights = scores.softmax(-1).masked_fill(hidden, 0.0)
        else:
            weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
        return weights @ v

    return attend


ROOT = "se divide entre d y no entre √d"
REAL = "se tapan las palabras y se deja ver el relleno: la máscara está al revés"
LATE = "se tapa después del softmax, y los pesos que quedan ya no suman 1"
FAULTS = {"root": ROOT, "real": REAL, "late": LATE}


def _hidden_with_a_number(number):
    def attend(q, k, v, lengths):
        hidden = (torch.arange(k.shape[1]) >= lengths[:, None])[:, None]
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, number)
        return scores.softmax(-1) @ v

    return attend


def _padded_case(batch, length, width, *, seed, scale=1.0, opposed=False):
    def make():
        shapes = ((batch, length, width),) * 3
        q, k, v = random_tensors(*shapes, seed=seed, dtype=torch.float64)
        if opposed:  # los puntajes de las palabras, muy negativos
            q, k = 40 + q.abs(), -40 - k.abs()
        shorter = [chance(seed).randint(1, length - 1) for _ in range(batch - 1)]
        return scale * q, k, v, torch.tensor([*shorter, length])

    return make


FAULTS = Exercise(
    Card(
        id="atencion-con-fallos",
        title="Tres fallos que no avisan",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="encontrar fallos en una atención que se ejecuta sin quejarse",
        hints=(
            "Prueba el código con un caso del que sepas la respuesta: una consulta nula, tres "
            "claves y una de ellas de relleno. ¿Cuánto suman los pesos? ¿Dónde están?",
            "Repasa las tres líneas con el capítulo delante: por cuánto se divide, qué significa "
            "True en la máscara y si se tapa antes o después del softmax.",
            "`masked_fill` cambia los valores donde su máscara es True: ha de ser True en el "
            "relleno. Y se tapan los puntajes, con −∞, no los pesos.",
        ),
    ),
    Task(
        function="padded_attention",
        cases=(
            Case("2 frases de hasta 5 tokens", _padded_case(2, 5, 4, seed=0)),
            Case("3 frases de hasta 4", _padded_case(3, 4, 9, seed=1)),
            Case("una frase sin relleno", _padded_case(1, 6, 4, seed=2)),
            Case("puntajes grandes", _padded_case(2, 5, 4, seed=3, scale=20.0)),
            Case("puntajes muy negativos", _padded_case(2, 4, 4, seed=4, opposed=True)),
            example(
                *map(
                    torch.tensor,
                    (
                        [[[0.0], [0.0], [0.0]]],
                        [[[1.0], [2.0], [9.0]]],
                        [[[2.0], [4.0], [90.0]]],
                        [2],
                    ),
                )
            ),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _faulty),
            Mistake(
                "tapado-con-un-numero",
                "has tapado con un número negativo cualquiera: si los puntajes de las palabras son "
                "menores que él, el peso se va al relleno; tapa con −∞",
                tuple(map(_hidden_with_a_number, (-1.0, -10.0, -50.0, -100.0, -1000.0))),
            ),
        ),
        tolerance=1e-6,
    ),
)
