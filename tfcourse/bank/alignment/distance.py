"""Ejercicio abierto: una duodécima función de alineamiento, por distancia."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _distance_by_loops(q, k, sigma):
    scores = torch.empty(q.shape[0], q.shape[1], k.shape[1], dtype=q.dtype)
    for b, queries in enumerate(q.tolist()):
        for t, query in enumerate(queries):
            for i, key in enumerate(k[b].tolist()):
                scores[b, t, i] = -(math.dist(query, key) ** 2) / (2 * float(sigma) ** 2)
    return scores


def _distance(sign=-1.0, power=2, scale=lambda sigma: 2 * sigma**2, reduce=torch.sum, end=None):
    """Puntaje por distancia con alguna pieza cambiada: así se fabrican los errores típicos."""

    def score(q, k, sigma):
        away = reduce((q[:, :, None] - k[:, None]).square(), -1)
        away = away if power == 2 else away.sqrt()
        scores = sign * away / scale(sigma)
        return scores if end is None else end(scores)

    return score


def _case(batch, n_queries, n_keys, size, seed, sigma=1.5, dtype=torch.float32):
    def make():
        shapes = (batch, n_queries, size), (batch, n_keys, size)
        q, k = random_tensors(*shapes, seed=seed, dtype=dtype)
        return q, k, torch.tensor(sigma, dtype=dtype)

    return make


DISTANCE = Exercise(
    Card(
        id="duodecima",
        title="La duodécima función",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="proponer una función de alineamiento y juzgarla sin engañarse",
        hints=(
            "Para distance_scores: con q[:, :, None] y k[:, None] cada consulta se resta con cada "
            "clave, y queda (B, Lq, Lk, D).",
            "Suma los cuadrados por el último eje, divide entre 2σ² y cambia el signo: más cerca, "
            "más puntaje.",
            "Para el experimento: antes de medir, mira la dispersión inicial de tus puntajes. "
            "Repite con varias semillas y decide de antemano qué diferencia te parecería real.",
        ),
    ),
    Task(
        function="distance_scores",
        cases=(
            Case("2 ejemplos, 3 consultas y 4 claves", _case(2, 3, 4, 5, seed=0)),
            Case("todos los ejes iguales", _case(3, 3, 3, 3, seed=1, sigma=0.8)),
            Case("una consulta", _case(2, 1, 5, 4, seed=2, sigma=2.0)),
            Case("un solo ejemplo", _case(1, 4, 2, 3, seed=3, sigma=3.0)),
            Case("números de 64 bits", _case(2, 2, 3, 4, seed=4, dtype=torch.float64)),
            example(
                torch.tensor([[[0.0, 0.0]]]),
                torch.tensor([[[3.0, 4.0], [0.0, 1.0]]]),
                torch.tensor(1.0),
            ),
        ),
        reference=_distance_by_loops,
        mistakes=(
            Mistake(
                "signo",
                "el signo está al revés: así las claves lejanas tienen más puntaje",
                (_distance(sign=1.0),),
            ),
            Mistake(
                "sin-cuadrado",
                "has usado la distancia y la fórmula pide su cuadrado",
                (_distance(power=1),),
            ),
            Mistake(
                "sigma-sin-cuadrado",
                "σ va al cuadrado: se divide entre 2σ²",
                (_distance(scale=lambda sigma: 2 * sigma),),
            ),
            Mistake(
                "sin-el-dos",
                "falta el 2 del denominador: se divide entre 2σ²",
                (_distance(scale=lambda sigma: sigma**2),),
            ),
            Mistake(
                "sin-sigma",
                "falta dividir entre 2σ²: la anchura no interviene",
                (_distance(scale=lambda sigma: 1.0), _distance(scale=lambda sigma: 2.0)),
            ),
            Mistake(
                "media-de-cuadrados",
                "has promediado los cuadrados y se suman: la distancia no se divide entre D",
                (_distance(reduce=torch.mean),),
            ),
            Mistake(
                "exponencial-aplicada",
                "has aplicado la exponencial: de eso se encarga el softmax, aquí va solo el "
                "exponente",
                (_distance(end=torch.exp), _distance(end=lambda x: x.softmax(-1))),
            ),
        ),
    ),
)
