"""Ejercicio de código: el alineamiento por contenido de Graves."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _cosine_by_loops(q, k, beta):
    scores = torch.empty(k.shape[:2], dtype=q.dtype)
    for b, query in enumerate(q.tolist()):
        for i, key in enumerate(k[b].tolist()):
            product = sum(x * y for x, y in zip(query, key, strict=True))
            scores[b, i] = float(beta) * product / math.hypot(*query) / math.hypot(*key)
    return scores


def _cosine(norm_q=None, norm_k=None, factor=lambda beta: beta, end=lambda x: x):
    """Puntaje por contenido con alguna pieza cambiada: así se fabrican los errores típicos."""
    norm_q = norm_q or (lambda q: q / q.norm(dim=-1, keepdim=True))
    norm_k = norm_k or (lambda k: k / k.norm(dim=-1, keepdim=True))

    def score(q, k, beta):
        return end(factor(beta) * (norm_k(k) * norm_q(q)[:, None]).sum(-1))

    return score


def _case(batch, length, size, seed, beta=2.5, dtype=torch.float32):
    def make():
        q, k = random_tensors((batch, size), (batch, length, size), seed=seed, dtype=dtype)
        return q, k, torch.tensor(beta, dtype=dtype)

    return make


COSINE = Exercise(
    Card(
        id="coseno",
        title="Comparar por el ángulo",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="escribir una función de alineamiento que no vea la longitud de los vectores",
        hints=(
            "El coseno es el producto escalar de dos vectores de longitud 1. ¿Por qué eje se mide "
            "la longitud de cada vector de k, de forma (B, L, D)?",
            "x / x.norm(dim=-1, keepdim=True) deja cada vector con longitud 1. Hazlo con q y con k "
            "antes de multiplicarlos.",
            "A q le falta un eje para multiplicarse con todas las claves: q[:, None]. Después se "
            "suma por el último y se multiplica por beta.",
        ),
    ),
    Task(
        function="cosine_scores",
        cases=(
            Case("un lote de 2 y 4 claves", _case(2, 4, 3, seed=0)),
            Case("todos los ejes iguales", _case(3, 3, 3, seed=1)),
            Case("una sola clave", _case(2, 1, 5, seed=2, beta=7.0)),
            Case("un solo ejemplo", _case(1, 6, 2, seed=3, beta=0.5)),
            Case("números de 64 bits", _case(2, 3, 4, seed=4, dtype=torch.float64)),
            Case("30 ejemplos, sin bucles", _case(30, 2, 2, seed=5), Rules(operations=60)),
            example(
                torch.tensor([[3.0, 4.0]]),
                torch.tensor([[[4.0, 3.0], [0.0, 10.0]]]),
                torch.tensor(2.0),
            ),
        ),
        reference=_cosine_by_loops,
        mistakes=(
            Mistake(
                "sin-normalizar",
                "has calculado el producto escalar: falta dividir cada vector entre su longitud",
                (_cosine(norm_q=lambda q: q, norm_k=lambda k: k),),
            ),
            Mistake(
                "solo-una-longitud",
                "solo has normalizado uno de los dos: hay que dividir la consulta y las claves "
                "entre sus longitudes",
                (_cosine(norm_q=lambda q: q), _cosine(norm_k=lambda k: k)),
            ),
            Mistake(
                "sin-beta",
                "falta multiplicar por `beta`: sin ella los puntajes no salen de [−1, 1]",
                (_cosine(factor=lambda beta: 1.0),),
            ),
            Mistake(
                "dividido-entre-beta",
                "has dividido entre `beta` y se multiplica: cuanto mayor, más nítido el reparto",
                (_cosine(factor=lambda beta: 1 / beta),),
            ),
            Mistake(
                "longitud-al-cuadrado",
                "has dividido entre la suma de cuadrados: la longitud es su raíz",
                (
                    _cosine(
                        norm_q=lambda q: q / q.square().sum(-1, keepdim=True),
                        norm_k=lambda k: k / k.square().sum(-1, keepdim=True),
                    ),
                ),
            ),
            Mistake(
                "norma-de-las-posiciones",
                "has medido la longitud por el eje de las posiciones (`dim=1`): cada clave se "
                "normaliza con sus propias componentes, `dim=-1`",
                (_cosine(norm_k=lambda k: k / k.norm(dim=1, keepdim=True)),),
            ),
            Mistake(
                "softmax-aplicado",
                "devuelves pesos, que ya suman 1, y se piden los puntajes, antes del softmax",
                (_cosine(end=lambda x: x.softmax(-1)),),
            ),
        ),
    ),
)
