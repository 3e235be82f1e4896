"""Ejercicio de código: la regresión por núcleo que predice cada punto con los demás."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(x, v, width):
    points, found = x.tolist(), torch.empty_like(v)
    for i, point in enumerate(points):
        others = [j for j in range(len(points)) if j != i]
        scores = [-(math.dist(point, points[j]) ** 2) / (2 * float(width) ** 2) for j in others]
        shares = softmax_by_exp(scores)
        found[i] = sum(s * float(v[j]) for s, j in zip(shares, others, strict=True))
    return found


def _predict(
    hide=True, late=False, root=False, scale=lambda w: 2 * w**2, sign=-1.0
):  # fmt: skip
    """La predicción con alguna pieza cambiada: así se fabrican los errores típicos."""

    def predict(x, v, width):
        far = (x[:, None] - x).square().sum(-1)
        scores = sign * (far.clamp(min=1e-12).sqrt() if root else far) / scale(width)
        itself = torch.eye(len(x), dtype=torch.bool)
        if hide and not late:
            scores = scores.masked_fill(itself, -math.inf)
        shares = scores.softmax(-1)
        return (shares.masked_fill(itself, 0.0) if late else shares) @ v

    return predict


def _case(n_points, size, seed, width=0.9, dtype=torch.float32):
    def make():
        x, v = random_tensors((n_points, size), (n_points,), seed=seed, dtype=dtype)
        return x, v, torch.tensor(width, dtype=dtype)

    return make


LEAVE_ONE_OUT = Exercise(
    Card(
        id="sin-verse",
        title="Predecir cada punto con los demás",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="tapar una posición antes del reparto, y no después",
        hints=(
            "Necesitas todas las distancias al cuadrado, (N, N): resta x[:, None] y x, eleva al "
            "cuadrado y suma por el último eje.",
            "Cada punto se compararía consigo mismo en la diagonal: torch.eye(N, dtype=torch.bool) "
            "dice dónde está.",
            "Pon −∞ en la diagonal antes del softmax (`masked_fill`), y multiplica por v.",
        ),
    ),
    Task(
        function="leave_one_out",
        cases=(
            Case("seis puntos en el plano", _case(6, 2, seed=0)),
            Case("tantos puntos como componentes", _case(4, 4, seed=1, width=1.5)),
            Case("dos puntos: cada uno predice al otro", _case(2, 3, seed=2)),
            Case("puntos en una recta", _case(7, 1, seed=3, width=0.5)),
            Case("números de 64 bits", _case(5, 2, seed=4, dtype=torch.float64)),
            Case("25 puntos, sin bucles", _case(25, 2, seed=5), Rules(operations=50)),
            example(
                torch.tensor([[0.0], [1.0], [3.0]]),
                torch.tensor([10.0, 20.0, 40.0]),
                torch.tensor(1.0),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "se-ve-a-si-mismo",
                "cada punto se ve a sí mismo, y con una anchura pequeña se copiaría: tapa la "
                "diagonal",
                (_predict(hide=False),),
            ),
            Mistake(
                "tapado-tarde",
                "has puesto a cero la diagonal después del softmax: los demás pesos ya no suman 1; "
                "pon −∞ antes",
                (_predict(late=True),),
            ),
            Mistake(
                "sin-cuadrado",
                "has usado la distancia y la fórmula pide su cuadrado",
                (_predict(root=True),),
            ),
            Mistake(
                "anchura",
                "se divide entre 2σ²",
                (
                    _predict(scale=lambda w: 2 * w),
                    _predict(scale=lambda w: w**2),
                    _predict(scale=lambda w: w),
                ),
            ),
            Mistake(
                "signo",
                "falta el signo menos: así pesan más los puntos lejanos",
                (_predict(sign=1.0),),
            ),
        ),
    ),
)
