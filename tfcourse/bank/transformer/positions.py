"""Ejercicio de código: la tabla de posiciones sinusoidales."""

import math

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _entry_by_entry(length, d_model):
    table = torch.zeros(length, d_model)
    for position in range(length):
        for pair in range(d_model // 2):
            angle = position / 10_000 ** (2 * pair / d_model)
            table[position, 2 * pair] = math.sin(angle)
            table[position, 2 * pair + 1] = math.cos(angle)
    return table


def _variant(exponent=lambda pair, d: 2 * pair / d, order="sc", side_by_side=False, first=0):
    def build(length, d_model):
        position = torch.arange(first, length + first)[:, None]
        pair = torch.arange(d_model // 2)
        angle = position / 10_000.0 ** exponent(pair, d_model)
        waves = {"s": angle.sin(), "c": angle.cos()}
        both = [waves[name] for name in order]
        return torch.cat(both, 1) if side_by_side else torch.stack(both, -1).flatten(1)

    return build


def _case(length, d_model):
    return lambda: (length, d_model)


def _random_size(seed):
    def make():
        random = chance(seed)
        return random.randint(7, 40), 2 * random.randint(3, 12)

    return make


POSITIONS = Exercise(
    Card(
        id="tabla-de-posiciones",
        title="La tabla de posiciones",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="pasar de una fórmula con índices a una tabla, sin perder ninguno",
        hints=(
            "Una columna de posiciones, `torch.arange(length)[:, None]`, y una fila de frecuencias "
            "dan todos los ángulos de una vez.",
            "La frecuencia de la pareja i es 10000 elevado a −2i/d, con i desde 0 hasta d/2 − 1.",
            "table[:, 0::2] son las componentes pares y table[:, 1::2], las impares: unas llevan "
            "el seno y otras el coseno del mismo ángulo.",
        ),
    ),
    Task(
        function="position_table",
        cases=(
            Case("6 posiciones de 8 dimensiones", _case(6, 8)),
            Case("una sola posición", _case(1, 4)),
            Case("50 posiciones de 12 dimensiones", _case(50, 12)),
            Case("dos dimensiones", _case(5, 2)),
            Case("un tamaño al azar", _random_size(seed=0)),
        ),
        reference=_entry_by_entry,
        mistakes=(
            Mistake(
                "seno-y-coseno-cambiados",
                "has puesto el coseno en las componentes pares y el seno en las impares: es al "
                "revés",
                (_variant(order="cs"),),
            ),
            Mistake(
                "en-dos-mitades",
                "has puesto todos los senos y después todos los cosenos: aquí van intercalados, "
                "cada pareja en dos componentes seguidas",
                (_variant(side_by_side=True),),
            ),
            Mistake(
                "exponente-a-medias",
                "te falta el 2 del exponente: la pareja i lleva 2i/d, y has puesto i/d",
                (_variant(exponent=lambda pair, d: pair / d),),
            ),
            Mistake(
                "exponente-doble",
                "el exponente es 2i/d con i la pareja, no la componente: las dos componentes de "
                "una pareja comparten el ángulo, y la primera pareja es la 0",
                (_variant(exponent=lambda pair, d: 4 * pair / d),),
            ),
            Mistake(
                "desde-uno",
                "has empezado a contar las posiciones en 1: la primera es la 0",
                (_variant(first=1),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
