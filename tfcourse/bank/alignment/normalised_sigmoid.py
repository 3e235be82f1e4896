"""Ejercicio de código: derivar a mano un reparto nuevo, la sigmoide dividida entre su suma."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(z, g):
    """Por la matriz de derivadas, posición a posición."""
    found = torch.zeros_like(z)
    for b in range(z.shape[0]):
        s = [1 / (1 + float(torch.exp(-x.double()))) for x in z[b]]
        total = sum(s)
        for j, s_j in enumerate(s):
            slope = s_j * (1 - s_j)
            found[b, j] = sum(
                float(g[b, i]) * slope * ((i == j) / total - s_i / total**2)
                for i, s_i in enumerate(s)
            )
    return found


def _gradient(slope=lambda s: s * (1 - s), centred=True, divided=True, weight=None):
    """El gradiente con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(z, g):
        s = torch.sigmoid(z)
        total = s.sum(-1, keepdim=True)
        shares = weight(z) if weight else s / total
        moved = g - (shares * g).sum(-1, keepdim=True) if centred else g
        return slope(s) * moved / (total if divided else 1.0)

    return gradient


def _softmax_gradient(z, g):
    shares = z.softmax(-1)
    return shares * (g - (shares * g).sum(-1, keepdim=True))


SIGMOID_SHARES = Exercise(
    Card(
        id="deriva-el-reparto",
        title="Deriva un reparto que no está en el capítulo",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="deducir con lápiz la derivada de un reparto y escribirla para un lote",
        hints=(
            "Llama s_i = σ(z_i) y T = Σ s_j. Deriva p_i = s_i / T respecto a z_j con la regla del "
            "cociente, separando el caso i = j.",
            "∂p_i/∂z_j = s'_j (1[i = j] − p_i) / T, con s'_j = s_j (1 − s_j). Falta sumar en i, "
            "cada uno multiplicado por g_i.",
            "Al sumar queda s'_j (g_j − Σ p_i g_i) / T: el gradiente menos su media, como en los "
            "demás repartos, por la pendiente de la sigmoide.",
        ),
    ),
    Task(
        function="share_gradient",
        cases=(
            Case("dos filas de cinco", random_case((2, 5), (2, 5), seed=0)),
            Case("todos los ejes iguales", random_case((3, 3), (3, 3), seed=1)),
            Case("una sola posición", random_case((2, 1), (2, 1), seed=2)),
            Case("un solo ejemplo", random_case((1, 6), (1, 6), seed=3)),
            Case("64 bits", random_case((2, 4), (2, 4), seed=4, dtype=torch.float64)),
            Case("sin autograd", random_case((3, 4), (3, 4), seed=5), Rules(banned=("autograd",))),
            example(torch.tensor([[0.0, 0.0]]), torch.tensor([[1.0, 3.0]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "softmax",
                "ese es el gradiente del softmax: aquí se reparten sigmoides",
                (_softmax_gradient,),
            ),
            Mistake(
                "sin-competencia",
                "te has quedado con el caso i = j: subir un puntaje también cambia la suma, y baja "
                "los demás pesos",
                (_gradient(centred=False),),
            ),
            Mistake(
                "sin-la-suma",
                "falta dividir entre la suma de las sigmoides",
                (_gradient(divided=False),),
            ),
            Mistake(
                "pendiente",
                "la derivada de la sigmoide es s (1 − s), y has usado otra cosa",
                (
                    _gradient(slope=lambda s: s),
                    _gradient(slope=lambda s: 1 - s),
                    _gradient(slope=lambda s: torch.ones_like(s)),
                ),
            ),
            Mistake(
                "media-sin-pesos",
                "se resta la media de g con los pesos p, y has usado otra",
                (
                    _gradient(weight=lambda z: torch.full_like(z, 1 / z.shape[-1])),
                    _gradient(weight=lambda z: torch.sigmoid(z)),
                ),
            ),
        ),
        differentiable=False,
    ),
)
