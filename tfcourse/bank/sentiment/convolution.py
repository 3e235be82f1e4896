"""Ejercicio de código: un detector de ventanas, y si aparece en el texto."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(x, weight, bias):
    length, width = len(x), weight.shape[1]
    best = []
    for detector, offset in zip(weight, bias, strict=True):
        values = []
        for start in range(length - width + 1):
            total = offset
            for k in range(width):
                total = total + (detector[k] * x[start + k]).sum()
            values.append(torch.relu(total))
        best.append(torch.stack(values).max())
    return torch.stack(best)


def _responses(x, weight, bias):
    windows = x.unfold(0, weight.shape[1], 1)  # (ventanas, D, k)
    return torch.einsum("tdk,jkd->tj", windows, weight) + bias


def _variant(reduce=None, *, relu=True, flip=False, with_bias=True, padded=False):
    def detect(x, weight, bias):
        if padded:
            half = weight.shape[1] // 2
            x = torch.nn.functional.pad(x, (0, 0, half, half))
        found = _responses(x, weight.flip(1) if flip else weight, bias if with_bias else 0 * bias)
        found = found.relu() if relu else found
        return reduce(found) if reduce else found.amax(dim=0)

    return detect


def _case(length, detectors, width, seed, shift=0.0):
    def make():
        x, weight, bias = random_tensors(
            (length, 4), (detectors, width, 4), (detectors,), seed=seed
        )
        return x, weight, bias + shift

    return make


CONVOLUTION = Exercise(
    Card(
        id="aparece-el-patron",
        title="¿Aparece el patrón?",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="pasar un detector por todas las ventanas y quedarse con lo más parecido",
        hints=(
            "Hay L − k + 1 ventanas de k palabras seguidas: una por cada sitio donde cabe entera.",
            "En cada ventana: producto de cada palabra por su fila del detector, todo sumado, más "
            "el sesgo, y una ReLU.",
            "x.unfold(0, k, 1) da las ventanas, `(L − k + 1, D, k)`; con torch.einsum se hacen "
            "todos los detectores a la vez. Después, el máximo sobre las ventanas.",
        ),
    ),
    Task(
        function="detect",
        cases=(
            Case("10 palabras, ventanas de 3", _case(10, 5, 3, 0)),
            Case("ventanas de 5", _case(12, 4, 5, 1)),
            Case("detectores que no saltan", _case(8, 6, 3, 2, shift=-9.0)),
            Case("una sola ventana", _case(3, 4, 3, 3)),
            example(
                torch.tensor([[1.0], [2.0], [0.0]]),
                torch.tensor([[[1.0], [-1.0]]]),
                torch.tensor([0.5]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "media",
                "has hecho la media de las ventanas: se pregunta si el patrón aparece en alguna",
                (_variant(lambda found: found.mean(dim=0)),),
            ),
            Mistake(
                "suma",
                "has sumado las ventanas: un texto largo saltaría solo por ser largo",
                (_variant(lambda found: found.sum(dim=0)),),
            ),
            Mistake("sin-relu", "falta la ReLU: nada es menor que cero", (_variant(relu=False),)),
            Mistake(
                "al-reves",
                "has leído el detector del revés: en estas redes la «convolución» no le da la "
                "vuelta",
                (_variant(flip=True),),
            ),
            Mistake("sin-sesgo", "falta el sesgo de cada detector", (_variant(with_bias=False),)),
            Mistake(
                "con-relleno",
                "has rellenado los bordes: aquí solo cuentan las ventanas que caben enteras",
                (_variant(padded=True),),
            ),
            Mistake(
                "por-ventana",
                "has dado el máximo de cada ventana entre los detectores: se pide, de cada "
                "detector, el de sus ventanas",
                (_variant(lambda found: found.amax(dim=1)),),
            ),
        ),
    ),
)
