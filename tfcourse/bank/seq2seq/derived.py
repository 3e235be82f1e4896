"""Ejercicio de código: el gradiente que llega a los puntajes, deducido con papel."""

import torch

from tfcourse.exercises.data import random_case, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_jacobian(alpha, h, g):
    """La regla de la cadena sin simplificar: cada ∂α_j/∂e_i, uno por uno."""
    result = torch.zeros_like(alpha)
    for b in range(alpha.shape[0]):
        for i in range(alpha.shape[1]):
            for j in range(alpha.shape[1]):
                slope = alpha[b, j] * (float(i == j) - alpha[b, i])
                result[b, i] += slope * (g[b] * h[b, j]).sum()
    return result


def _gradient(weigh=True, centre="contexto", sign=1):
    """La fórmula con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(alpha, h, g):
        pulls = (h @ g[:, :, None])[:, :, 0]
        middle = {
            "contexto": (alpha * pulls).sum(1, keepdim=True),
            "media": pulls.mean(1, keepdim=True),
            "propio": alpha * pulls,
            "nada": 0.0,
        }[centre]
        return sign * (alpha if weigh else 1) * (pulls - middle)

    return gradient


def _padded_sentence():
    """La última palabra es relleno: pesa cero y su estado no debe contar."""
    scores, h, g = random_tensors((2, 4), (2, 4, 3), (2, 3), seed=4)
    scores[:, 3] = -torch.inf
    return scores.softmax(dim=1), 100.0 * h, g


def _case(batch, length, size, seed, dtype=torch.float32):
    shapes = (batch, length), (batch, length, size), (batch, size)

    def make():
        scores, h, g = random_case(*shapes, seed=seed, dtype=dtype)()
        return scores.softmax(dim=1), h, g

    return make


SCORE_GRADIENT = Exercise(
    Card(
        id="gradiente-del-reparto",
        title="Lo que el contexto pide a los puntajes",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="deducir con papel el gradiente que atraviesa el reparto de la atención",
        hints=(
            "Primero, lo que la pérdida pide a cada peso. Como c = Σ αᵢ hᵢ, la derivada de L "
            "respecto de αᵢ es el producto escalar de g con hᵢ.",
            "Después, el softmax: ∂αⱼ/∂eᵢ = αⱼ([i = j] − αᵢ). Suma sobre j lo que pide cada peso "
            "y saca αᵢ factor común.",
            "Lo que queda dentro del paréntesis es g · hᵢ menos una media de los g · hⱼ, ponderada "
            "por los pesos. Esa media es g · c.",
        ),
    ),
    Task(
        function="score_gradient",
        cases=(
            Case("un lote de 3 frases de 5 palabras", _case(3, 5, 4, seed=0)),
            Case("todos los ejes iguales", _case(3, 3, 3, seed=1)),
            Case("una sola frase", _case(1, 6, 2, seed=2)),
            Case("frases de una palabra", _case(2, 1, 3, seed=3)),
            Case("frases con relleno", _padded_sentence),
            Case("números de 64 bits", _case(2, 4, 3, seed=5, dtype=torch.float64)),
            Case(
                "30 frases, sin bucles ni autograd",
                _case(30, 2, 2, seed=6),
                Rules(banned=("autograd",), operations=50),
            ),
            example(
                torch.tensor([[0.75, 0.25]]), torch.tensor([[[4.0], [0.0]]]), torch.tensor([[1.0]])
            ),
        ),
        reference=_by_jacobian,
        tolerance=1e-4,
        mistakes=(
            Mistake(
                "hasta-los-pesos",
                "eso es lo que se pide a cada peso α, g · hᵢ: falta atravesar el softmax para "
                "llegar a los puntajes",
                (_gradient(weigh=False, centre="nada"),),
            ),
            Mistake(
                "sin-centrar",
                "falta restar g · c: subir un puntaje baja los demás pesos, y eso también cuenta",
                (_gradient(centre="nada"),),
            ),
            Mistake(
                "sin-peso",
                "falta el factor αᵢ: a quien no se mira, moverle el puntaje no cambia nada",
                (_gradient(weigh=False),),
            ),
            Mistake(
                "media-simple",
                "has restado la media simple de los g · hⱼ, y es la ponderada por los pesos",
                (_gradient(centre="media"),),
            ),
            Mistake(
                "solo-la-diagonal",
                "has usado solo la derivada de cada peso respecto de su propio puntaje, αᵢ(1 − αᵢ):"
                " faltan las de los demás",
                (_gradient(centre="propio"),),
            ),
            Mistake(
                "signo",
                "tienes el signo cambiado: se pide el gradiente, no el paso que lo baja",
                (_gradient(sign=-1),),
            ),
        ),
    ),
)
