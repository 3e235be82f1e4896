"""Ejercicio de código: avanzar k posiciones es girar cada pareja de componentes."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _turns(k, d_model):
    """La matriz, entrada a entrada: seno y coseno de la suma de dos ángulos."""
    matrix = torch.zeros(d_model, d_model)
    for first in range(0, d_model, 2):
        angle = k / 10_000 ** (first / d_model)
        sine, cosine = math.sin(angle), math.cos(angle)
        matrix[first, first], matrix[first, first + 1] = cosine, -sine
        matrix[first + 1, first], matrix[first + 1, first + 1] = sine, cosine
    return matrix


def _transposed(k, d_model):
    return _turns(k, d_model).T


def _one_turn(k, d_model):
    return torch.block_diag(*[_turns(k, 2)] * (d_model // 2))


def _half_exponent(k, d_model):
    blocks = [_turns(k / 10_000 ** (pair / d_model), 2) for pair in range(d_model // 2)]
    return torch.block_diag(*blocks)


def _in_halves(k, d_model):
    order = [*range(0, d_model, 2), *range(1, d_model, 2)]
    return _turns(k, d_model)[order][:, order]


def _without_sign(k, d_model):
    matrix = _turns(k, d_model)
    above = torch.diag_embed(torch.diagonal(matrix, 1), offset=1)
    return matrix - 2 * above


def _case(k, d_model):
    return lambda: (k, d_model)


def _random_case(seed):
    def make():
        random = chance(seed)
        return random.randint(2, 30), 2 * random.randint(2, 9)

    return make


POSITIONS = Exercise(
    Card(
        id="avanzar-es-girar",
        title="Avanzar es girar",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="deducir de una fórmula la propiedad por la que se eligió",
        hints=(
            "Basta con una pareja: escribe el seno y el coseno de (p + k)·ω con las fórmulas del "
            "ángulo suma y mira qué multiplica a sen(pω) y qué multiplica a cos(pω).",
            "La fila multiplica por la izquierda: la primera columna del bloque de 2 × 2 es lo que "
            "da el seno nuevo, y la segunda, lo que da el coseno nuevo.",
            "Cada bloque es [[cos kω, −sen kω], [sen kω, cos kω]], con la frecuencia ω de su "
            "pareja; fuera de los bloques todo son ceros.",
        ),
    ),
    Task(
        function="shift_matrix",
        cases=(
            Case("3 posiciones, 8 dimensiones", _case(3, 8)),
            Case("ninguna posición", _case(0, 4)),
            Case("una posición, 2 dimensiones", _case(1, 2)),
            Case("hacia atrás", _case(-5, 6)),
            Case("un avance al azar", _random_case(seed=0)),
            Case("otro avance al azar", _random_case(seed=1)),
            example(1, 2),
        ),
        reference=_turns,
        mistakes=(
            Mistake(
                "gira-al-reves",
                "tu matriz retrocede k posiciones en vez de avanzarlas: revisa qué seno lleva el "
                "signo menos",
                (_transposed,),
            ),
            Mistake(
                "un-solo-angulo",
                "todas las parejas giran lo mismo, y cada una tiene su frecuencia",
                (_one_turn,),
            ),
            Mistake(
                "exponente-a-medias",
                "te falta el 2 del exponente: la pareja i lleva 2i/d, y has puesto i/d",
                (_half_exponent,),
            ),
            Mistake(
                "en-dos-mitades",
                "has puesto todos los senos delante y todos los cosenos detrás: en la tabla van "
                "intercalados",
                (_in_halves,),
            ),
            Mistake(
                "sin-signo",
                "los dos senos llevan el mismo signo: el coseno de una suma resta",
                (_without_sign,),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
