"""Ejercicio de código: la atención con rasgos positivos, de derecha a izquierda."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(q, k, v, directions):
    def features(x):
        x = x / x.shape[-1] ** 0.25
        return torch.stack([(w @ x - x @ x / 2).exp() for w in directions])

    rows, keys = [], torch.stack([features(key) for key in k])
    for query in q:
        weights = keys @ features(query)
        rows.append(sum(w * value for w, value in zip(weights / weights.sum(), v, strict=True)))
    return torch.stack(rows)


def _variant(scale=0.25, norm=True, divide="consultas"):
    def attend(q, k, v, directions):
        def features(x):
            x = x / x.shape[-1] ** scale
            half = x.square().sum(-1, keepdim=True) / 2
            return (x @ directions.T - half * norm).exp()

        phi_q, phi_k = features(q), features(k)
        weights = phi_q @ phi_k.T
        if divide == "consultas":
            weights = weights / weights.sum(-1, keepdim=True)
        elif divide == "claves":
            weights = weights / weights.sum(-2, keepdim=True)
        elif divide == "rasgos":
            weights = weights / len(directions)
        return weights @ v

    return attend


def _softmaxed(q, k, v, directions):
    return (q @ k.T / q.shape[-1] ** 0.5).softmax(-1) @ v


def _case(n_queries, n_keys, d, m, seed):
    def make():
        q, k, v, w = random_tensors((n_queries, d), (n_keys, d), (n_keys, 3), (m, d), seed=seed)
        return 0.7 * q, 0.7 * k, v, w

    return make


FEATURES = Exercise(
    Card(
        id="rasgos-positivos",
        title="De derecha a izquierda",
        kind="codigo",
        difficulty=3,
        minutes=18,
        points=3,
        objective="escribir la atención de coste lineal de Performer, con su normalizador",
        hints=(
            "Primero una función que convierta (L, d) en (L, m): divide entre d^(1/4), multiplica "
            "por las direcciones, resta la mitad de la norma al cuadrado y toma la exponencial.",
            "phi_k.T @ v mide (m, dv) y no depende de cuántas consultas haya. phi_q lo reparte.",
            "El denominador de cada consulta es phi_q @ phi_k.sum(dim=0): la misma cuenta, con "
            "unos "
            "en lugar de valores.",
        ),
    ),
    Task(
        function="performer",
        cases=(
            Case("5 consultas, 7 claves y 6 rasgos", _case(5, 7, 4, 6, seed=0)),
            Case("un solo rasgo", _case(3, 4, 2, 1, seed=1)),
            Case("una sola clave", _case(3, 1, 4, 5, seed=2)),
            Case("más rasgos que posiciones", _case(2, 3, 8, 40, seed=3)),
            Case(
                "30 consultas y 40 claves, sin su matriz",
                _case(30, 40, 2, 3, seed=4),
                Rules(largest=600),
            ),
            example(*map(torch.tensor, ([[0.0]], [[0.0], [0.0]], [[2.0], [4.0]], [[1.0]]))),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-normalizar",
                "te falta el normalizador: los pesos de cada consulta deben sumar 1",
                (_variant(divide=None), _variant(divide="rasgos")),
            ),
            Mistake(
                "normaliza-claves",
                "has normalizado por claves: lo que debe sumar 1 son los pesos de cada consulta",
                (_variant(divide="claves"),),
            ),
            Mistake(
                "sin-la-norma",
                "te falta restar ‖x‖²/2 dentro de la exponencial: sin eso, la media no es e^(q·k)",
                (_variant(norm=False),),
            ),
            Mistake(
                "sin-escalar",
                "te falta dividir las consultas y las claves entre d^(1/4) antes de los rasgos",
                (_variant(scale=0.0),),
            ),
            Mistake(
                "escala-doble",
                "has dividido consultas y claves entre √d: entre las dos deben aportar una √d, así "
                "que a cada una le toca d^(1/4)",
                (_variant(scale=0.5),),
            ),
            Mistake(
                "atencion-exacta",
                "has calculado la atención de siempre: se pide la aproximada, con esas direcciones",
                (_softmaxed,),
            ),
        ),
        tolerance=1e-4,
    ),
)
