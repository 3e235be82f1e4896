"""Ejercicio de código: los pesos de la atención local de Luong."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _local_by_loops(scores, centers, half_width):
    weights = torch.zeros_like(scores)
    for b, center in enumerate(centers.tolist()):
        inside = [i for i in range(scores.shape[1]) if abs(i - center) <= half_width]
        row = softmax_by_exp(scores[b, inside].tolist())
        for i, weight in zip(inside, row, strict=True):
            weights[b, i] = weight * math.exp(-((i - center) ** 2) / (2 * (half_width / 2) ** 2))
    return weights


def _gaussian(distance, half_width, sigma=0.5, half=2.0, power=2):
    return torch.exp(-(distance.abs() ** power) / (half * (sigma * half_width) ** 2))


def _local(bell=_gaussian, late=False, window=True, again=False, strict=False):
    """Pesos locales con alguna pieza cambiada: así se fabrican los errores típicos."""

    def weights(scores, centers, half_width):
        distance = torch.arange(scores.shape[1]) - centers[:, None]
        inside = distance.abs() < half_width if strict else distance.abs() <= half_width
        if not window:
            inside = torch.ones_like(inside)
        if late:
            alpha = scores.softmax(-1) * inside
        else:
            alpha = scores.masked_fill(~inside, -math.inf).softmax(-1)
        alpha = alpha * bell(distance, half_width)
        return alpha / alpha.sum(-1, keepdim=True) if again else alpha

    return weights


def _case(centers, length, half_width, seed, dtype=torch.float32):
    def make():
        (scores,) = random_tensors((len(centers), length), seed=seed, dtype=dtype)
        return scores, torch.tensor(centers, dtype=dtype), half_width

    return make


WINDOW = Exercise(
    Card(
        id="ventana-local",
        title="Mirar por una ventana",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="combinar una ventana, un softmax y una gaussiana en el orden correcto",
        hints=(
            "Necesitas la distancia de cada posición a su centro: torch.arange(L) menos centers "
            "con un eje más, de forma (B, L).",
            "La ventana se aplica antes del softmax, con −∞ en lo que queda fuera "
            "(`masked_fill`); la gaussiana, después, multiplicando.",
            "σ = half_width / 2, y la gaussiana es exp(−distancia² / (2σ²)). No se vuelve a "
            "normalizar: los pesos suman menos de 1.",
        ),
    ),
    Task(
        function="local_weights",
        cases=(
            Case("centros entre posiciones", _case((2.3, 4.6), 8, 2, seed=0)),
            Case("centros en los bordes", _case((0.0, 6.0), 7, 3, seed=1)),
            Case("un solo ejemplo", _case((3.5,), 9, 1, seed=2)),
            Case("ventana más ancha que la entrada", _case((1.2, 2.0), 4, 10, seed=3)),
            Case("números de 64 bits", _case((2.0, 3.1), 6, 2, seed=4, dtype=torch.float64)),
            example(torch.tensor([[0.0, 0.0, 0.0, 9.0]]), torch.tensor([1.0]), 1),
        ),
        reference=_local_by_loops,
        mistakes=(
            Mistake(
                "sin-gaussiana",
                "falta multiplicar por la gaussiana, que es la que deja llegar el gradiente al "
                "centro",
                (_local(bell=lambda distance, half_width: 1.0),),
            ),
            Mistake(
                "ventana-tarde",
                "has recortado después del softmax: lo de fuera se ha llevado parte del reparto; "
                "pon −∞ antes",
                (_local(late=True),),
            ),
            Mistake(
                "sin-ventana",
                "falta la ventana: las posiciones lejanas también reciben peso",
                (_local(window=False),),
            ),
            Mistake(
                "sigma-entera",
                "has usado σ = half_width: la desviación es la mitad, half_width / 2",
                (_local(bell=lambda d, w: _gaussian(d, w, sigma=1.0)),),
            ),
            Mistake(
                "sin-el-dos",
                "en la gaussiana falta el 2 del denominador: exp(−distancia² / (2σ²))",
                (_local(bell=lambda d, w: _gaussian(d, w, half=1.0)),),
            ),
            Mistake(
                "sin-cuadrado",
                "en la gaussiana la distancia va al cuadrado",
                (_local(bell=lambda d, w: _gaussian(d, w, power=1)),),
            ),
            Mistake(
                "renormalizado",
                "has vuelto a normalizar al final: en Luong los pesos se quedan como salen, aunque "
                "sumen menos de 1",
                (_local(again=True),),
            ),
            Mistake(
                "borde-fuera",
                "has dejado fuera las posiciones que están justo a half_width del centro: la "
                "ventana las incluye (≤)",
                (_local(strict=True),),
            ),
        ),
    ),
)
