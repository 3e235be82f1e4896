"""Ejercicio de código: los dos fallos de un filtro antes de muestrear menos."""

import math

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(wave, factor, half_width):
    """Muestra a muestra: la suma de las vecinas, con los pesos calculados uno a uno."""
    weights = {}
    for n in range(-half_width, half_width + 1):
        x = math.pi * n / factor
        window = (1 + math.cos(math.pi * n / (half_width + 1))) / 2
        weights[n] = window * (math.sin(x) / x if n else 1.0)
    total, size = sum(weights.values()), wave.shape[-1]
    rows = []
    for row in wave.reshape(-1, size).tolist():
        rows.append([
            sum(w * row[place + n] for n, w in weights.items() if 0 <= place + n < size) / total
            for place in range(0, size, factor)
        ])  # fmt: skip
    return torch.tensor(rows).view(*wave.shape[:-1], -1)


def _variant(turns=1, cut=1, divide=True, window=True, late=False, protect=True):
    """El filtro con `turns` vueltas de la ventana y el corte multiplicado por `cut`."""

    def thin_out(wave, factor, half_width):
        if not protect:
            return wave[..., ::factor]
        n = torch.arange(-half_width, half_width + 1)
        kernel = torch.sinc(cut * n / factor)
        if window:
            kernel = kernel * (0.5 + 0.5 * torch.cos(turns * math.pi * n / (half_width + 1)))
        if divide:
            kernel = kernel / kernel.sum()
        kept = wave[..., ::factor] if late else wave
        rows = kept.reshape(-1, 1, kept.shape[-1])
        filtered = F.conv1d(rows, kernel.view(1, 1, -1).to(wave.dtype), padding=half_width)
        filtered = filtered.view(*kept.shape)
        return filtered if late else filtered[..., ::factor]

    return thin_out


def _case(shape, factor, half_width, seed):
    tensors = random_case(shape, seed=seed)
    return lambda: (*tensors(), factor, half_width)


FILTERS = Exercise(
    Card(
        id="dos-fallos-en-un-filtro",
        title="Dos fallos en un filtro",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar y arreglar los fallos de un filtro que se ejecuta sin errores",
        hints=(
            "Dibuja la ventana: tiene que valer 1 en el centro y bajar hasta los dos extremos, "
            "sin volver a subir.",
            "Con una de cada `factor` muestras, ¿qué frecuencia es la mayor que cabe?",
            "Compara con `low_pass_kernel`, del capítulo: allí el seno cardinal lleva dos veces el "
            "corte entre la frecuencia de muestreo.",
        ),
    ),
    Task(
        function="thin_out",
        cases=(
            Case("una de cada tres", _case((30,), 3, 6, 0)),
            Case("una de cada cuatro", _case((41,), 4, 10, 1)),
            Case("un lote", _case((3, 35), 5, 9, 2)),
            Case("dos ejes de lote", _case((2, 2, 26), 3, 4, 3)),
            example(torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), 3, 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "corte",
                "el filtro deja pasar hasta la frecuencia de muestreo nueva, y solo cabe la mitad: "
                "siguen apareciendo alias",
                (_variant(cut=2), _variant(cut=2, turns=2), _variant(cut=2, divide=False)),
            ),
            Mistake(
                "corta-de-mas",
                "el filtro corta por la mitad de lo que cabe: quita frecuencias que se podían "
                "guardar",
                (_variant(cut=0.5), _variant(cut=0.5, turns=2)),
            ),
            Mistake(
                "ventana-repetida",
                "la ventana llega a cero a mitad de camino y vuelve a subir: da dos vueltas en "
                "lugar de una",
                (_variant(turns=2), _variant(turns=2, divide=False)),
            ),
            Mistake(
                "sin-ventana",
                "has quitado la ventana: el seno cardinal queda recortado de golpe",
                (_variant(window=False), _variant(window=False, cut=2)),
            ),
            Mistake(
                "sin-dividir",
                "los pesos no suman 1: la parte que no vibra cambia de tamaño",
                (_variant(divide=False),),
            ),
            Mistake(
                "filtrar-despues",
                "has filtrado después de quitar muestras: los alias ya estaban ahí",
                (_variant(late=True), _variant(late=True, cut=2)),
            ),
            Mistake(
                "sin-filtrar",
                "has quitado muestras sin filtrar: lo que no cabe se dobla",
                (_variant(protect=False),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
