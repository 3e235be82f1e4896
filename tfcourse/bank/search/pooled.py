"""Ejercicio de código: encontrar los dos fallos de una media de tokens."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _one_by_one(states, lengths):
    """Texto a texto, cortando el relleno."""
    rows = []
    for row, length in zip(states, lengths.tolist(), strict=True):
        middle = row[:length].mean(dim=0)
        rows.append(middle / middle.square().sum().sqrt())
    return torch.stack(rows)


def _variant(padded=False, early=False, unit=True):
    def pool(states, lengths):
        kept = torch.arange(states.shape[1]) < lengths[:, None]
        if early:
            states = states / states.norm(dim=-1, keepdim=True).clamp(min=1e-9)
        if padded:
            middle = states.mean(dim=1)
        else:
            middle = (states * kept[..., None]).sum(1) / lengths[:, None].to(states.dtype)
        return middle / middle.norm(dim=-1, keepdim=True) if unit else middle

    return pool


def _case(lengths, width, seed):
    def make():
        (states,) = random_tensors((len(lengths), max(lengths), width), seed=seed)
        return states, torch.tensor(lengths)

    return make


POOLED = Exercise(
    Card(
        id="dos-fallos-en-la-media",
        title="Dos fallos en la media",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="encontrar dos fallos que no dan error y cambian el vector de cada texto",
        hints=(
            "Prueba con un texto solo y con el mismo texto acompañado de otro más largo: su vector "
            "no debería cambiar.",
            "Prueba también con un texto cuyos tokens tengan longitudes muy distintas, y mira la "
            "longitud del resultado.",
            "El relleno no cuenta ni en la suma ni en el divisor, y la longitud 1 se da una sola "
            "vez, a la media.",
        ),
    ),
    Task(
        function="text_vectors",
        cases=(
            Case("tres textos de longitudes distintas", _case((5, 2, 3), 4, 0)),
            Case("dos textos", _case((1, 6), 3, 1)),
            Case("sin relleno", _case((4, 4), 5, 2)),
            example(torch.tensor([[[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]]), torch.tensor([2])),
        ),
        reference=_one_by_one,
        mistakes=(
            Mistake(
                "los-dos-siguen",
                "siguen los dos fallos: cuenta el relleno, y la longitud 1 se da a cada token y no "
                "a la media",
                (_variant(padded=True, early=True, unit=False),),
            ),
            Mistake(
                "cuenta-el-relleno",
                "la longitud es 1, pero el relleno sigue contando: el vector de un texto depende "
                "de con quién comparta lote",
                (_variant(padded=True),),
            ),
            Mistake(
                "cada-token",
                "el relleno ya no cuenta, pero has dado longitud 1 a cada token antes de la media",
                (_variant(early=True, unit=False), _variant(early=True)),
            ),
            Mistake(
                "sin-longitud-uno",
                "la media está bien; falta darle longitud 1",
                (_variant(unit=False),),
            ),
        ),
    ),
)
