"""Ejercicio de código: desenrollar la celda recurrente."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_numbers(x, h_0, W_x, W_h, b):
    """Componente a componente, con números de Python."""
    result = torch.zeros(x.shape[0], x.shape[1], W_h.shape[0], dtype=x.dtype)
    for sequence in range(x.shape[0]):
        h = h_0[sequence].tolist()
        for t in range(x.shape[1]):
            read = x[sequence, t].tolist()
            h = [
                math.tanh(
                    sum(v * W_x[i, j].item() for i, v in enumerate(read))
                    + sum(v * W_h[i, j].item() for i, v in enumerate(h))
                    + b[j].item()
                )
                for j in range(len(h))
            ]
            result[sequence, t] = torch.tensor(h, dtype=x.dtype)
    return result


def _states(squash=torch.tanh, keep=False, flip=False, axis=1, bias=True, transpose=False):
    """La recurrencia con alguna pieza cambiada: así se fabrican los errores típicos."""

    def states(x, h_0, W_x, W_h, b):
        h, written = h_0, []
        for x_t in (x.flip(1) if flip else x).unbind(1):
            new = squash(x_t @ W_x + h @ (W_h.T if transpose else W_h) + (b if bias else 0))
            h = h if keep else new
            written.append(new)
        return torch.stack(written, axis)

    return states


def _last(x, h_0, W_x, W_h, b):
    return _states()(x, h_0, W_x, W_h, b)[:, -1]


def _with_initial(x, h_0, W_x, W_h, b):
    return torch.cat([h_0[:, None], _states()(x, h_0, W_x, W_h, b)], dim=1)


def _from_zeros(x, h_0, W_x, W_h, b):
    return _states()(x, torch.zeros_like(h_0), W_x, W_h, b)


def _case(batch, length, d_input, d_hidden, seed, dtype=torch.float32):
    shapes = ((batch, length, d_input), (batch, d_hidden), (d_input, d_hidden))
    return random_case(*shapes, (d_hidden, d_hidden), (d_hidden,), seed=seed, dtype=dtype)


STATES = Exercise(
    Card(
        id="estados",
        title="Desenrollar la red",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="escribir el bucle que lee una secuencia y guarda todos los estados",
        hints=(
            "El lote se trata de una vez: en cada vuelta lees x[:, t], de forma (B, Dx). ¿Qué debe "
            "pasar de una vuelta a la siguiente?",
            "h empieza siendo h_0 y en cada paso se sustituye por el estado nuevo, que además se "
            "guarda en una lista.",
            "Cada estado mide (B, Dh). torch.stack(lista, dim=1) los pone en fila por el eje del "
            "tiempo: (B, T, Dh).",
        ),
    ),
    Task(
        function="read_sequence",
        cases=(
            Case("2 secuencias de 3 pasos", _case(2, 3, 4, 5, seed=0)),
            Case("una sola secuencia", _case(1, 4, 2, 3, seed=1)),
            Case("secuencias de un paso", _case(3, 1, 2, 4, seed=2)),
            Case("todos los ejes iguales", _case(3, 3, 3, 3, seed=3)),
            Case("números de 64 bits", _case(2, 5, 3, 2, seed=4, dtype=torch.float64)),
        ),
        reference=_by_numbers,
        mistakes=(
            Mistake("sin-tanh", "te falta la tangente hiperbólica", (_states(squash=lambda z: z),)),
            Mistake(
                "otra-activacion",
                "has usado la sigmoide o ReLU: la celda de Elman usa la tangente hiperbólica",
                (_states(squash=torch.sigmoid), _states(squash=torch.relu)),
            ),
            Mistake(
                "estado-viejo",
                "usas h_0 en todos los pasos: el estado nuevo debe sustituir al anterior",
                (_states(keep=True),),
            ),
            Mistake(
                "sin-h-0",
                "empiezas con un estado de ceros: el inicial es `h_0`, el que te dan",
                (_from_zeros,),
            ),
            Mistake(
                "solo-el-ultimo",
                "devuelves solo el último estado: se piden los de todos los pasos",
                (_last,),
            ),
            Mistake(
                "incluye-h-0",
                "has incluido `h_0` entre los estados: el primero es el que sigue a leer x₁",
                (_with_initial,),
            ),
            Mistake(
                "al-reves",
                "has leído la secuencia del final al principio",
                (
                    _states(flip=True),
                    lambda x, h_0, W_x, W_h, b: _states(flip=True)(x, h_0, W_x, W_h, b).flip(1),
                ),
            ),
            Mistake(
                "tiempo-delante",
                "has apilado los estados por el eje 0: el lote va delante, `torch.stack(..., "
                "dim=1)`",
                (_states(axis=0),),
            ),
            Mistake(
                "sin-sesgo", "te falta sumar el sesgo `b` en cada paso", (_states(bias=False),)
            ),
            Mistake(
                "matriz-traspuesta",
                "has traspuesto `W_h`: los vectores son filas, así que va `h @ W_h`",
                (_states(transpose=True),),
            ),
        ),
    ),
)
