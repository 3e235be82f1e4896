"""Ejercicio de código: una ventana causal sin la matriz de todas las parejas."""

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(q, k, v, window):
    mixed = torch.zeros(*q.shape[:2], v.shape[-1], dtype=v.dtype)
    for b, i in torch.cartesian_prod(*map(torch.arange, q.shape[:2])).tolist():
        seen = range(max(0, i - window), i + 1)
        scores = [(q[b, i] @ k[b, j] / q.shape[-1] ** 0.5).item() for j in seen]
        for j, weight in zip(seen, softmax_by_exp(scores), strict=True):
            mixed[b, i] += weight * v[b, j]
    return mixed


def _masked(rule, scale=lambda d: d**0.5):
    def attend(q, k, v, window):
        place = torch.arange(q.shape[1])
        apart = place[:, None] - place
        scores = (q @ k.mT / scale(q.shape[-1])).masked_fill(~rule(apart, window), float("-inf"))
        return scores.softmax(-1) @ v

    return attend


def _without_mask(q, k, v, window):
    """Los ceros de antes del principio cuentan como claves."""
    zeros = torch.zeros_like(k[:, :1]).repeat(1, window, 1)
    near_k, near_v = (
        torch.cat([zeros.new_zeros(*zeros.shape[:2], x.shape[-1]), x], 1) for x in (k, v)
    )
    keys, values = (x.unfold(1, window + 1, 1).mT for x in (near_k, near_v))
    scores = (keys @ q[..., None])[..., 0] / q.shape[-1] ** 0.5
    return (scores.softmax(-1)[..., None] * values).sum(2)


def _case(*shape, window, seed):
    return lambda: (*random_tensors(shape, shape, shape, seed=seed), window)


def _causal(apart, window):
    return (apart >= 0) & (apart <= window)


WINDOW = Exercise(
    Card(
        id="ventana-causal",
        title="Una ventana de verdad",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="calcular solo los productos de la ventana, sin la matriz de todas las parejas",
        hints=(
            "Añade `window` claves de ceros delante: así todas las posiciones tienen el mismo "
            "número de claves detrás. F.pad(k, (0, 0, window, 0)) rellena por la izquierda el "
            "penúltimo eje.",
            "padded.unfold(1, window + 1, 1) da, para cada posición, sus window + 1 claves: forma "
            "(B, L, D, window + 1). Un producto con la consulta da (B, L, window + 1).",
            "Los ceros no son claves: tápalos con −∞ antes del softmax. La columna c de la "
            "posición "
            "i es la clave i − window + c: existe si no es negativa.",
        ),
    ),
    Task(
        function="window_attention",
        cases=(
            Case("2 frases de 7 tokens, ventana de 2", _case(2, 7, 4, window=2, seed=0)),
            Case("ventana de 1", _case(1, 6, 3, window=1, seed=1)),
            Case("ventana más larga que la frase", _case(2, 4, 4, window=9, seed=2)),
            Case("un solo token", _case(2, 1, 4, window=3, seed=3)),
            Case(
                "150 tokens, sin todas las parejas ni bucles",
                _case(1, 150, 2, window=2, seed=4),
                Rules(largest=10_000, operations=80),
            ),
            example(
                *map(
                    torch.tensor,
                    ([[[0.0], [0.0], [0.0]]], [[[1.0], [1.0], [1.0]]], [[[2.0], [4.0], [8.0]]]),
                ),
                1,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "una-menos",
                "te falta una posición: son la propia y las `window` anteriores, window + 1 en "
                "total",
                (_masked(lambda apart, w: (apart >= 0) & (apart < w)),),
            ),
            Mistake(
                "una-de-mas",
                "te sobra una posición: son la propia y las `window` anteriores",
                (_masked(lambda apart, w: (apart >= 0) & (apart <= w + 1)),),
            ),
            Mistake(
                "dos-lados",
                "miras también hacia delante: la ventana es causal, solo pasado y presente",
                (_masked(lambda apart, w: apart.abs() <= w),),
            ),
            Mistake(
                "mira-al-futuro",
                "la ventana está al revés: mira a las posiciones que vienen después",
                (_masked(lambda apart, w: (apart <= 0) & (apart >= -w)),),
            ),
            Mistake(
                "sin-ventana",
                "has escrito la atención causal entera: falta dejar fuera lo que está a más de "
                "`window` pasos",
                (_masked(lambda apart, w: apart >= 0),),
            ),
            Mistake(
                "ceros-como-claves",
                "los ceros de antes del principio están recibiendo peso: tápalos con −∞ antes del "
                "softmax",
                (_without_mask,),
            ),
            Mistake(
                "sin-escalar",
                "te falta dividir los puntajes entre √d",
                (_masked(_causal, scale=lambda d: 1.0),),
            ),
        ),
    ),
)
