"""Ejercicio de código: la receta 80/10/10, con el azar ya sorteado."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

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


def _variant(*, special=False, random=True, middle=0.9, mask=0.8, answer="chosen"):
    def corrupt(tokens, draw, fate, some):
        chosen = draw < RATE
        if not special:
            chosen = chosen & (tokens >= N_SPECIAL)
        read = torch.where(chosen & (fate < mask), MASK_ID, tokens)
        if random:
            read = torch.where(chosen & (fate >= mask) & (fate < middle), some, read)
        return read, chosen if answer == "chosen" else read != tokens

    return corrupt


def _over_all(tokens, draw, fate, some):
    chosen = (draw < RATE) & (tokens >= N_SPECIAL)
    read = torch.where(fate < 0.8, MASK_ID, tokens)
    return torch.where((fate >= 0.8) & (fate < 0.9), some, read), chosen


def _case(rows, length, seed):
    def make():
        generator = seeded(seed)
        tokens = torch.randint(0, N_TOKENS, (rows, length), generator=generator)
        some = torch.randint(N_SPECIAL, N_TOKENS, (rows, length), generator=generator)
        draw, fate = torch.rand(2, rows, length, generator=generator)
        return tokens, draw, fate, some

    return make


MASKING = Exercise(
    Card(
        id="tapar-como-bert",
        title="Tapar como BERT",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="elegir posiciones y decidir qué se lee en cada una, sin bucles",
        hints=(
            "Dos decisiones independientes: con `draw`, quién se elige; con `fate`, qué le pasa.",
            "Se elige un token si su sorteo es menor que 0,15 **y** no es especial.",
            "torch.where(condición, a, b), dos veces: una para poner la máscara y otra para poner "
            "el token al azar. Donde no se cumple ninguna, queda el que había.",
        ),
    ),
    Task(
        function="corrupt",
        cases=(
            Case("20 secuencias de 30", _case(20, 30, 0)),
            Case("8 secuencias de 64", _case(8, 64, 1)),
            Case("una secuencia larga", _case(1, 500, 2)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "tapa-especiales",
                "has elegido también tokens especiales: los números menores que 4 no se tocan",
                (_variant(special=True),),
            ),
            Mistake(
                "siempre-mascara",
                "has puesto [MASK] en todos los elegidos: solo va en el 80 %, y lo decide `fate`, "
                "no `draw` (los elegidos tienen todos un `draw` pequeño)",
                (_variant(mask=1.0, random=False), _variant(mask=1.1, random=False)),
            ),
            Mistake(
                "sin-azar",
                "falta el 10 % que se cambia por un token al azar: los has dejado como estaban",
                (_variant(random=False),),
            ),
            Mistake(
                "sin-iguales",
                "has cambiado todos los elegidos: un 10 % se queda como estaba",
                (_variant(middle=1.1),),
            ),
            Mistake(
                "cambia-los-no-elegidos",
                "has cambiado tokens que no estaban elegidos: la máscara y el azar solo llegan a "
                "los elegidos",
                (_over_all,),
            ),
            Mistake(
                "solo-los-cambiados",
                "en la segunda salida faltan los elegidos que se quedan como estaban: también hay "
                "que adivinarlos",
                (_variant(answer="changed"),),
            ),
        ),
        outputs=("lo que se lee", "las posiciones elegidas"),
        differentiable=False,
    ),
)
