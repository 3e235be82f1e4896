"""Ejercicio de código: los tres fallos de un paso de la LSTM que se ejecuta sin quejarse."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _sigmoid(value):
    return 1 / (1 + math.exp(-value))


def _row_by_columns(row, matrix):
    return [
        sum(a * b for a, b in zip(row, column, strict=True))
        for column in matrix.double().T.tolist()
    ]


def _lstm_by_numbers(x, h, c, W_x, W_h, b):
    """Ecuaciones de la LSTM, número a número."""
    new_h, new_c, d = torch.empty_like(h), torch.empty_like(c), h.shape[1]
    for i, (row_x, row_h) in enumerate(zip(x.double().tolist(), h.double().tolist(), strict=True)):
        parts = (_row_by_columns(row_x, W_x), _row_by_columns(row_h, W_h), b.double().tolist())
        total = [sum(three) for three in zip(*parts, strict=True)]
        for j in range(d):
            write, forget = _sigmoid(total[j]), _sigmoid(total[d + j])
            candidate, output = math.tanh(total[2 * d + j]), _sigmoid(total[3 * d + j])
            memory = forget * float(c[i, j]) + write * candidate
            new_c[i, j], new_h[i, j] = memory, output * math.tanh(memory)
    return new_h, new_c


def _faulty(squashed: bool, turned: bool, bare: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def step(x, h, c, W_x, W_h, b):
        write, forget, candidate, output = (x @ W_x + h @ W_h + b).chunk(4, dim=-1)
        write, forget, output = (torch.sigmoid(part) for part in (write, forget, output))
        candidate = torch.sigmoid(candidate) if squashed else torch.tanh(candidate)
        new_c = (1 - forget if turned else forget) * c + write * candidate
        return output * (new_c if bare else torch.tanh(new_c)), new_c

    return step


REASONS = {
    "candidata": "la candidata pasa por la sigmoide y lleva tangente, porque debe poder restar",
    "olvido": "la memoria se multiplica por 1 − F, y F dice cuánto se conserva",
    "salida": "al estado nuevo, O ⊙ tanh(c), le falta la tangente de la memoria",
}


def _swapped(*arguments):
    return _faulty(False, False, False)(*arguments)[::-1]


def _lstm_case(batch, d_input, d, seed, dtype=torch.float32):
    shapes = ((batch, d_input), (batch, d), (batch, d), (d_input, 4 * d), (d, 4 * d), (4 * d,))
    return random_case(*shapes, seed=seed, dtype=dtype)


LSTM_FAULTS = Exercise(
    Card(
        id="lstm-con-fallos",
        title="Tres fallos en una LSTM",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="encontrar los fallos de una celda comparándola con sus ecuaciones",
        hints=(
            "Pon a cero todos los pesos y mira qué queda: todas las compuertas valen 0,5. ¿Qué "
            "memoria y qué estado deberían salir, y cuáles salen?",
            "Una de las cuatro piezas no es una compuerta. ¿Por dónde pasa?",
            "Los otros dos están en la línea de la memoria y en la del estado: mira qué multiplica "
            "a la memoria anterior y qué se le hace a la memoria antes de enseñarla.",
        ),
    ),
    Task(
        function="lstm_step",
        cases=(
            Case("un lote de 3 ejemplos", _lstm_case(3, 4, 5, seed=0)),
            Case("un solo ejemplo", _lstm_case(1, 3, 2, seed=1)),
            Case("una sola unidad", _lstm_case(4, 2, 1, seed=2)),
            Case("números de 64 bits", _lstm_case(2, 3, 4, seed=4, dtype=torch.float64)),
            example(
                *map(
                    torch.tensor,
                    (
                        [[1.0]],
                        [[0.5]],
                        [[2.0]],
                        [[2.0, 0.0, 0.5, 1.0]],
                        [[0.0, 2.0, 1.0, -2.0]],
                        [-1.0, 1.0, 0.0, 0.0],
                    ),
                )
            ),
        ),
        reference=_lstm_by_numbers,
        outputs=("h_nueva", "c_nueva"),
        mistakes=(
            *combined(REASONS, _faulty),
            Mistake(
                "salidas-intercambiadas",
                "has devuelto los dos resultados al revés: primero el estado, después la memoria",
                (_swapped,),
            ),
        ),
        tolerance=1e-4,
    ),
)
