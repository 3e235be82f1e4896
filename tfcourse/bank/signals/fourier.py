"""Ejercicio de código: una casilla de la transformada de Fourier, con números reales."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(signal, k):
    """Muestra a muestra, con senos y cosenos de Python."""
    size = signal.shape[-1]
    rows = signal.reshape(-1, size).tolist()
    found = []
    for row in rows:
        real = sum(x * math.cos(2 * math.pi * k * n / size) for n, x in enumerate(row))
        imaginary = -sum(x * math.sin(2 * math.pi * k * n / size) for n, x in enumerate(row))
        found.append([real, imaginary])
    return torch.tensor(found).view(*signal.shape[:-1], 2)


def _variant(sign=-1, turns=2 * math.pi, divide=False, swap=False, shift=0, modulus=False):
    def coefficient(signal, k):
        size = signal.shape[-1]
        angle = turns * k * (torch.arange(size) + shift) / size
        parts = [(signal * angle.cos()).sum(-1), sign * (signal * angle.sin()).sum(-1)]
        if modulus:
            parts = [(parts[0] ** 2 + parts[1] ** 2).sqrt()] * 2
        found = torch.stack(parts[::-1] if swap else parts, dim=-1)
        return found / size if divide else found

    return coefficient


def _case(shape, k, seed=0):
    def make():
        return torch.randn(shape, generator=seeded(seed)), k

    return make


COEFFICIENT = Exercise(
    Card(
        id="una-casilla-de-fourier",
        title="Una casilla de Fourier",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="calcular una casilla de la transformada con senos y cosenos",
        hints=(
            "El ángulo de la muestra n es 2π k n / N; torch.arange da las n.",
            "La parte real es la suma de la señal por el coseno; la imaginaria, por el seno, con "
            "el signo menos de la fórmula.",
            "Suma en el último eje y junta las dos partes con torch.stack(..., dim=-1).",
        ),
    ),
    Task(
        function="fourier_bin",
        cases=(
            Case("la parte que no vibra", _case((4,), 0)),
            Case("cuatro muestras", _case((4,), 1, seed=1)),
            Case("ocho muestras", _case((8,), 3, seed=2)),
            Case("un lote", _case((3, 12), 5, seed=3)),
            Case("dos ejes de lote", _case((2, 3, 7), 2, seed=4)),
            Case(
                "sin `torch.fft` ni números complejos",
                _case((2, 6), 2, seed=5),
                Rules(banned=("torch.fft.", "stft"), complex_numbers=False),
            ),
            example(torch.tensor([1.0, 2.0, 0.0, 1.0]), 1),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "signo",
                "la parte imaginaria tiene el signo cambiado: el exponente es −2πi k n / N",
                (_variant(sign=1),),
            ),
            Mistake(
                "media-vuelta",
                "el ángulo da la mitad de las vueltas: es 2π k n / N, no π k n / N",
                (_variant(turns=math.pi), _variant(turns=1.0)),
            ),
            Mistake(
                "entre-n",
                "has dividido entre N: eso se hace en la inversa",
                (_variant(divide=True),),
            ),
            Mistake(
                "cambiadas",
                "has puesto la parte imaginaria antes que la real",
                (_variant(swap=True),),
            ),
            Mistake(
                "desde-uno",
                "has empezado a contar en n = 1: la primera muestra es la 0",
                (_variant(shift=1),),
            ),
            Mistake(
                "modulo",
                "has dado el módulo: se piden las dos partes, porque la fase también cuenta",
                (_variant(modulus=True),),
            ),
        ),
        tolerance=1e-4,
    ),
)
