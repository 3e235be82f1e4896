"""Ejercicio abierto: ¿qué tiene la GRU que no tenga la LSTM? Un paso de la LSTM acoplada."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _coupled_by_numbers(x, h, c, W_x, W_h, b):
    new_h, new_c, d = torch.empty_like(h), torch.empty_like(c), h.shape[1]
    total = (x.double() @ W_x.double() + h.double() @ W_h.double() + b.double()).tolist()
    for i, row in enumerate(total):
        for j in range(d):
            forget, output = (1 / (1 + math.exp(-row[k])) for k in (j, 2 * d + j))
            memory = forget * float(c[i, j]) + (1 - forget) * math.tanh(row[d + j])
            new_c[i, j], new_h[i, j] = memory, output * math.tanh(memory)
    return new_h, new_c


def _coupled(memory, squash=torch.tanh, shown=torch.tanh, order="FCO"):
    def step(x, h, c, W_x, W_h, b):
        parts = dict(zip(order, (x @ W_x + h @ W_h + b).chunk(3, dim=-1), strict=True))
        forget, output = torch.sigmoid(parts["F"]), torch.sigmoid(parts["O"])
        new_c = memory(forget, squash(parts["C"]), c)
        return output * shown(new_c), new_c

    return step


def _tied(forget, candidate, c):
    return forget * c + (1 - forget) * candidate


def _case(batch, d_input, d, seed, dtype=torch.float32):
    shapes = ((batch, d_input), (batch, d), (batch, d), (d_input, 3 * d), (d, 3 * d), (3 * d,))
    return random_case(*shapes, seed=seed, dtype=dtype)


COUPLED = Exercise(
    Card(
        id="lstm-acoplada",
        title="¿Qué tiene la GRU que no tenga la LSTM?",
        kind="abierto",
        difficulty=3,
        minutes=75,
        points=2,
        manual_points=8,
        objective="aislar una sola diferencia entre dos celdas y medir si importa",
        hints=(
            "En la LSTM acoplada no hay compuerta de entrada: lo que se escribe es 1 − F. Quedan "
            "tres bloques, en el orden del enunciado: olvido, candidata y salida.",
            "c_nueva = F * c + (1 − F) * candidata, y h_nueva = O * tanh(c_nueva), como siempre.",
            "Para el experimento: una sola cosa cambia cada vez, el mismo inicio en las dos, "
            "varias semillas y los mismos pasos. ¿Qué resultado te haría decir que el acoplamiento "
            "no importa?",
        ),
    ),
    Task(
        function="coupled_step",
        cases=(
            Case("un lote de 3 ejemplos", _case(3, 4, 5, seed=0)),
            Case("un solo ejemplo", _case(1, 3, 2, seed=1)),
            Case("una sola unidad", _case(4, 2, 1, seed=2)),
            Case("tantos ejemplos como unidades", _case(3, 3, 3, seed=3)),
            Case("números de 64 bits", _case(2, 3, 4, seed=4, dtype=torch.float64)),
            example(
                *map(
                    torch.tensor,
                    (
                        [[1.0]],
                        [[0.5]],
                        [[2.0]],
                        [[0.0, 0.5, 1.0]],
                        [[2.0, 1.0, -2.0]],
                        [1.0, 0.0, 0.0],
                    ),
                )
            ),
        ),
        reference=_coupled_by_numbers,
        outputs=("h_nueva", "c_nueva"),
        mistakes=(
            Mistake(
                "acoplada-al-reves",
                "has intercambiado los papeles: F multiplica a la memoria anterior, y 1 − F, a la "
                "candidata",
                (_coupled(lambda f, g, c: (1 - f) * c + f * g),),
            ),
            Mistake(
                "escribe-con-f",
                "has escrito con F, la misma compuerta que conserva: acoplar es que una crezca "
                "cuando la otra mengua, 1 − F",
                (_coupled(lambda f, g, c: f * c + f * g), _coupled(lambda f, g, c: f * (c + g))),
            ),
            Mistake(
                "sin-acoplar",
                "la candidata se suma entera: falta multiplicarla por 1 − F",
                (_coupled(lambda f, g, c: f * c + g),),
            ),
            Mistake(
                "salida-sin-tanh",
                "el estado nuevo es O ⊙ tanh(c): te falta la tangente de la memoria",
                (_coupled(_tied, shown=lambda value: value),),
            ),
            Mistake(
                "bloques-en-otro-orden",
                "has partido los bloques en otro orden: en el enunciado son olvido, candidata y "
                "salida",
                tuple(_coupled(_tied, order=order) for order in ("FOC", "OCF", "CFO", "COF")),
            ),
        ),
    ),
)
