"""Ejercicio de código: encontrar los tres fallos de una atención local."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _local_by_loops(scores, centers, half_width):
    weights = torch.zeros_like(scores)
    for b, center in enumerate(centers.tolist()):
        inside = [i for i in range(scores.shape[1]) if abs(i - center) <= half_width]
        row = softmax_by_exp(scores[b, inside].tolist())
        for i, weight in zip(inside, row, strict=True):
            weights[b, i] = weight * math.exp(-((i - center) ** 2) / (2 * (half_width / 2) ** 2))
    return weights


def _local(rounded=False, late=False, wide=False, *, window=True, bell=True, again=False):
    """Pesos locales con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def weights(scores, centers, half_width):
        middle = centers.round() if rounded else centers
        distance = torch.arange(scores.shape[1]) - middle[:, None]
        inside = distance.abs() <= half_width if window else torch.ones_like(scores).bool()
        if late:
            alpha = scores.softmax(-1) * inside
        else:
            alpha = scores.masked_fill(~inside, -math.inf).softmax(-1)
        sigma = half_width if wide else half_width / 2
        if bell:
            alpha = alpha * torch.exp(-(distance**2) / (2 * sigma**2))
        return alpha / alpha.sum(-1, keepdim=True) if again else alpha

    return weights


FAULTS = {
    "redondeo": "el centro se redondea: todos los centros entre dos enteros dan lo mismo, y su "
    "gradiente es cero",
    "tarde": "la ventana se aplica después del softmax, y lo de fuera ya se ha llevado su parte: "
    "pon −∞ antes",
    "ancha": "σ vale half_width / 2, y no half_width: en el borde de la ventana queda e⁻²",
}


def _case(centers, length, half_width, seed, scale=1.0, dtype=torch.float32):
    def make():
        (scores,) = random_tensors((len(centers), length), seed=seed, dtype=dtype)
        return scale * scores, torch.tensor(centers, dtype=dtype), half_width

    return make


WINDOW = Exercise(
    Card(
        id="fallos-en-la-ventana",
        title="Una ventana que no se mueve",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar, por sus síntomas, los fallos de una atención local",
        hints=(
            "Haz tres pruebas: el gradiente de la suma de los pesos respecto a `centers`; un "
            "puntaje enorme fuera de la ventana; y puntajes iguales, para ver solo la gaussiana.",
            "`round` es una escalera: su derivada es cero en todas partes. El centro es un número "
            "real, y la distancia a él también.",
            "Pon −∞ fuera de la ventana antes del softmax, con `masked_fill`, y usa "
            "σ = half_width / 2. Después de la gaussiana no se vuelve a normalizar.",
        ),
    ),
    Task(
        function="local_weights",
        cases=(
            Case("centros entre posiciones", _case((2.3, 4.6), 8, 2, seed=0)),
            Case("centros en los bordes", _case((0.0, 6.0), 7, 3, seed=1)),
            Case("un solo ejemplo", _case((3.5,), 9, 1, seed=2)),
            Case("ventana más ancha que la entrada", _case((1.2, 2.0), 4, 10, seed=3)),
            Case("puntajes de cientos", _case((2.2, 4.7), 8, 2, seed=5, scale=200.0)),
            Case("números de 64 bits", _case((2.0, 3.1), 6, 2, seed=4, dtype=torch.float64)),
            example(torch.tensor([[0.0, 0.0, 0.0, 9.0]]), torch.tensor([1.0]), 1),
        ),
        reference=_local_by_loops,
        mistakes=(
            *combined(FAULTS, _local),
            Mistake(
                "sin-gaussiana",
                "has quitado la gaussiana, que es la que deja llegar el gradiente al centro",
                (_local(bell=False),),
            ),
            Mistake(
                "sin-ventana",
                "has quitado la ventana: las posiciones lejanas también reciben peso",
                (_local(window=False),),
            ),
            Mistake(
                "renormalizado",
                "has vuelto a normalizar al final: en Luong los pesos se quedan como salen, aunque "
                "sumen menos de 1",
                (_local(again=True), _local(late=True, again=True)),
            ),
        ),
    ),
)
