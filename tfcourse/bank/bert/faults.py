"""Ejercicio de código: encontrar los tres fallos de un 80/10/10 que no da error."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Task, combined, example

MASK_ID, N_SPECIAL, N_TOKENS, RATE = 3, 4, 30, 0.15


def _by_loops(tokens, draw, fate, some):
    read, chosen = tokens.clone(), torch.zeros_like(tokens, dtype=torch.bool)
    for row in range(tokens.shape[0]):
        for t in range(tokens.shape[1]):
            if tokens[row, t] < N_SPECIAL or draw[row, t] >= RATE:
                continue
            chosen[row, t] = True
            if fate[row, t] < 0.8:
                read[row, t] = MASK_ID
            elif fate[row, t] < 0.9:
                read[row, t] = some[row, t]
    return read, chosen


def _faulty(special: bool, trampled: bool, unasked: bool):
    """Lo que hace el código del enunciado si quedan esos fallos."""

    def corrupt(tokens, draw, fate, some):
        chosen = (draw < RATE) & ((tokens >= N_SPECIAL) | special)
        read = torch.where(chosen & (fate < 0.8), MASK_ID, tokens)
        replaced = (fate < 0.9) & ((fate >= 0.8) | trampled)
        read = torch.where(chosen & replaced, some, read)
        return read, read != tokens if unasked else chosen

    return corrupt


FAULTS = {
    "especiales": "se eligen también tokens especiales, los menores que 4",
    "pisados": "el segundo `where` pisa las máscaras que puso el primero: no queda ni un [MASK]",
    "sin-preguntar": "no se pregunta por los elegidos que se leen tal como estaban",
}


def _case(rows, length, seed):
    def make():
        generator = seeded(seed)
        tokens = torch.randint(0, N_TOKENS, (rows, length), generator=generator)
        some = torch.randint(N_SPECIAL, N_TOKENS, (rows, length), generator=generator)
        draw, fate = torch.rand(2, rows, length, generator=generator)
        return tokens, draw, fate, some

    return make


def _at_the_edges():
    """El 4 ya no es especial; 0,15 ya no se elige; 0,8 ya es de los cambiados, y 0,9 ya no."""
    tokens = torch.tensor([[3, 4, 9, 9, 9, 9]])
    draw = torch.tensor([[0.1, 0.1, RATE, 0.1, 0.1, 0.0]])
    fate = torch.tensor([[0.1, 0.1, 0.1, 0.8, 0.9, 0.0]])
    return tokens, draw, fate, torch.tensor([[10, 11, 12, 13, 14, 15]])


MASKING_FAULTS = Exercise(
    Card(
        id="fallos-al-tapar",
        title="Tres fallos al tapar",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="encontrar fallos en una receta 80/10/10 que se ejecuta sin quejarse",
        hints=(
            "Tapa un lote grande y cuenta: ¿qué parte de lo elegido se lee como [MASK]? ¿Se ha "
            "elegido algún token menor que 4? ¿Cuántos elegidos se leen como estaban?",
            "Hay un fallo en cada línea. En la segunda asignación de `read`, mira qué le pasa a "
            "una posición con `fate = 0.5`.",
            "La segunda salida son las posiciones **elegidas**, cambien o no: una de cada diez se "
            "lee como estaba, y también se pregunta por ella.",
        ),
    ),
    Task(
        function="corrupt",
        cases=(
            Case("20 secuencias de 30", _case(20, 30, 0)),
            Case("8 secuencias de 64", _case(8, 64, 1)),
            Case("una secuencia larga", _case(1, 500, 2)),
            Case("sorteos justo en los límites", _at_the_edges),
            example(
                torch.tensor([[0, 9, 8, 7]]),
                torch.tensor([[0.1, 0.1, 0.1, 0.9]]),
                torch.tensor([[0.5, 0.5, 0.85, 0.5]]),
                torch.tensor([[20, 21, 22, 23]]),
            ),
        ),
        reference=_by_loops,
        mistakes=tuple(combined(FAULTS, _faulty)),
        outputs=("lo que se lee", "las posiciones elegidas"),
        differentiable=False,
    ),
)
