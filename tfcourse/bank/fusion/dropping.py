"""Ejercicio de código: quitar modalidades al entrenar."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(draws, p):
    rows = []
    for u in draws.tolist():
        if u < p / 2:
            rows.append([False, True])
        elif u < p:
            rows.append([True, False])
        else:
            rows.append([True, True])
    return torch.tensor(rows, dtype=torch.bool)


def _missing(draws, p):
    return ~_by_loops(draws, p)


def _both_missing(draws, p):
    return torch.stack([draws >= p, draws >= p], dim=1)


def _too_often(draws, p):
    return _by_loops(draws, 2 * p)


def _swapped(draws, p):
    return _by_loops(draws, p).flip(1)


def _only_image(draws, p):
    return torch.stack([draws >= p, torch.ones_like(draws, dtype=torch.bool)], dim=1)


def _as_given(draws, p):
    """El código del enunciado."""
    return torch.stack([draws >= p, (draws < p / 2) | (draws > p)], dim=1)


def _case(draws, p):
    return lambda: (torch.tensor(draws), p)


def _random_case(seed):
    """Una probabilidad cualquiera, y sorteos de los tres tipos, bien lejos de los bordes."""

    def make():
        random = chance(seed)
        p = random.uniform(0.3, 0.7)
        types = [(0.0, p / 2), (p / 2, p), (p, 1.0)]
        kept = random.choices(types, k=9) + types
        random.shuffle(kept)
        draws = [low + (high - low) * random.uniform(0.05, 0.95) for low, high in kept]
        return torch.tensor(draws), p

    return make


DROPPING = Exercise(
    Card(
        id="quitar-modalidades",
        title="Un sorteo que quita de más",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="leer de un sorteo con qué probabilidad pasa cada cosa, y arreglarlo",
        hints=(
            "Un solo número al azar por ejemplo basta para decidir entre tres casos.",
            "Por debajo de p / 2 falta la imagen; entre p / 2 y p, el sonido; por encima, nada.",
            "Devuelve lo que **llega**: `torch.stack([~no_image, ~no_sound], dim=1)`.",
        ),
    ),
    Task(
        function="drop",
        cases=(
            Case("uno de cada tipo", _case([0.1, 0.3, 0.7], 0.4)),
            Case("no se quita nada", _case([0.0, 0.5, 0.9], 0.0)),
            Case("siempre falta una", _case([0.2, 0.8, 0.49, 0.99], 1.0)),
            Case("justo en los bordes", _case([0.25, 0.5, 0.0], 0.5)),
            Case("poca probabilidad", _case([0.05, 0.15, 0.25, 0.35], 0.2)),
            Case("doce ejemplos al azar", _random_case(seed=0)),
            Case("otros doce", _random_case(seed=1)),
            example(torch.tensor([0.1, 0.9]), 0.4),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "lo-que-falta",
                "has devuelto lo que falta: se pide lo que llega",
                (_missing,),
            ),
            Mistake(
                "las-dos-a-la-vez",
                "has quitado las dos a la vez: con nada que leer no se aprende nada",
                (_both_missing,),
            ),
            Mistake(
                "demasiadas",
                "falta una con probabilidad 2p: reparte p entre las dos",
                (_too_often,),
            ),
            Mistake(
                "cambiadas",
                "has cambiado las columnas: la primera es la imagen, y falta por debajo de p / 2",
                (_swapped,),
            ),
            Mistake(
                "solo-la-imagen",
                "quitas siempre la imagen: al sonido también le toca faltar",
                (_only_image,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
