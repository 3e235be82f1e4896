"""Ejercicio de código: la vuelta atrás de la atención, deducida y no pedida a autograd."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_finite_pairs(q, k, v, grad):
    """Consulta a consulta y pareja a pareja, con la derivada del softmax escrita entera."""
    d_q, d_k, d_v = (torch.zeros_like(part) for part in (q, k, v))
    root = math.sqrt(q.shape[1])
    for i, query in enumerate(q):
        weights = torch.stack([key @ query / root for key in k]).softmax(0)
        for j, key in enumerate(k):
            d_v[j] += weights[j] * grad[i]
            for m, value in enumerate(v):
                slope = weights[m] * (float(m == j) - weights[j])  # ∂α_m / ∂s_j
                d_score = slope * (value @ grad[i])
                d_q[i] += d_score * key / root
                d_k[j] += d_score * query / root
    return d_q, d_k, d_v


def _variant(*, root=math.sqrt, outer=math.sqrt, center=True, weigh=True, swap=False):
    def backward(q, k, v, grad):
        size = q.shape[1]
        weights = (q @ k.T / root(size)).softmax(-1)
        d_weights = grad @ v.T
        mean = (weights * d_weights).sum(-1, keepdim=True) if center else 0.0
        d_scores = (d_weights - mean) * (weights if weigh else 1.0)
        d_q, d_k = d_scores @ k / outer(size), d_scores.T @ q / outer(size)
        d_v = weights.T @ grad
        return (d_k, d_q, d_v) if swap else (d_q, d_k, d_v)

    return backward


def _by_columns(q, k, v, grad):
    root = math.sqrt(q.shape[1])
    weights, d_weights = (q @ k.T / root).softmax(-1), grad @ v.T
    d_scores = weights * (d_weights - (weights * d_weights).sum(0, keepdim=True))
    return d_scores @ k / root, d_scores.T @ q / root, weights.T @ grad


def _none(size):
    return 1.0


BACKWARD = Exercise(
    Card(
        id="atencion-hacia-atras",
        title="La atención, hacia atrás",
        kind="codigo",
        difficulty=3,
        minutes=30,
        points=4,
        objective="deducir el gradiente de la atención y ver dónde aparece √d",
        hints=(
            "Da tres pasos, del final al principio: de la salida a los pesos y a los valores; de "
            "los pesos a los puntajes; y de los puntajes a consultas y claves.",
            "En una fila, si a los pesos les llega el gradiente a, al puntaje j le llega "
            "αⱼ (aⱼ − Σᵢ αᵢ aᵢ): la derivada del softmax, sumada sobre todos los pesos.",
            "Cada puntaje es q·k/√d, así que √d divide dos veces: en los pesos y otra vez al bajar "
            "de los puntajes a q y a k. Cada clave reúne lo que le llega de todas las consultas.",
        ),
    ),
    Task(
        function="attention_backward",
        cases=(
            Case(
                "4 consultas y 6 claves",
                random_case((4, 3), (6, 3), (6, 2), (4, 2), seed=0, dtype=torch.float64),
            ),
            Case(
                "una sola consulta",
                random_case((1, 8), (5, 8), (5, 3), (1, 3), seed=1, dtype=torch.float64),
            ),
            Case(
                "tantas consultas como claves",
                random_case((5, 4), (5, 4), (5, 4), (5, 4), seed=2, dtype=torch.float64),
            ),
            Case(
                "una sola clave",
                random_case((3, 2), (1, 2), (1, 2), (3, 2), seed=3, dtype=torch.float64),
            ),
            example(
                *map(
                    torch.tensor,
                    (
                        [[0.0, 0.0, 0.0, 0.0]],
                        [[4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
                        [[1.0], [0.0]],
                        [[1.0]],
                    ),
                )
            ),
        ),
        reference=_by_finite_pairs,
        mistakes=(
            Mistake(
                "sin-la-segunda-raiz",
                "los pesos están bien, pero al bajar de los puntajes a q y a k falta dividir otra "
                "vez entre √d: es la regla de la cadena de s = q·k/√d",
                (_variant(outer=_none),),
            ),
            Mistake(
                "sin-escalar",
                "te falta √d en los dos sitios: en los pesos y al bajar a q y a k",
                (_variant(root=_none, outer=_none),),
            ),
            Mistake(
                "pesos-sin-escalar",
                "has dividido entre √d al bajar a q y a k, pero los pesos los has calculado sin "
                "dividir: son los de otra atención",
                (_variant(root=_none),),
            ),
            Mistake(
                "sin-la-media",
                "de los pesos a los puntajes falta restar la media Σᵢ αᵢ aᵢ: subir un puntaje baja "
                "todos los demás pesos",
                (_variant(center=False),),
            ),
            Mistake(
                "sin-el-peso",
                "de los pesos a los puntajes falta multiplicar por el peso: con αⱼ = 0, a ese "
                "puntaje no le llega nada",
                (_variant(weigh=False),),
            ),
            Mistake(
                "media-por-columnas",
                "has restado una media por clave, y el softmax es de cada consulta: la media va "
                "por filas",
                (_by_columns,),
            ),
            Mistake(
                "orden",
                "has devuelto primero el de las claves: el orden es q, k y v",
                (_variant(swap=True),),
            ),
        ),
        outputs=("el gradiente de q", "el gradiente de k", "el gradiente de v"),
        differentiable=False,
    ),
)
