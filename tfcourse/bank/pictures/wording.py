"""Ejercicio abierto: cuánto importa cómo se le pregunta a CLIP."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(before, after, groups):
    won = lost = 0
    for first, second, real in zip(before.tolist(), after.tolist(), groups.tolist(), strict=True):
        won += second == real != first
        lost += first == real != second
    return won, lost


def _swapped(before, after, groups):
    return _by_loops(after, before, groups)


def _all_right(before, after, groups):
    return int((after == groups).sum()), int((before == groups).sum())


def _changed(before, after, groups):
    changed = before != after
    return int((changed & (after == groups)).sum()), int((changed & (after != groups)).sum())


def _net(before, after, groups):
    gain = int((after == groups).sum() - (before == groups).sum())
    return max(gain, 0), max(-gain, 0)


def _shares(before, after, groups):
    won, lost = _by_loops(before, after, groups)
    return won / len(groups), lost / len(groups)


def _case(n, n_groups, seed):
    def make():
        g = seeded(seed)
        groups, before, after = torch.randint(n_groups, (3, n), generator=g)
        before[: n // 2] = groups[: n // 2]  # que antes se acierte bastante
        after[n // 3 : n // 2 + 2] = groups[n // 3 : n // 2 + 2]
        # Uno de cada clase, para que ninguna cuenta se confunda con otra.
        groups[-4:], before[-4:], after[-4:] = 0, torch.tensor([1, 0, 1, 1]), torch.tensor([0] * 4)
        after[-3:] = torch.tensor([1, 2, 1])
        return before, after, groups

    return make


WORDING = Exercise(
    Card(
        id="como-se-le-pregunta",
        title="Cómo se le pregunta",
        kind="abierto",
        difficulty=3,
        minutes=50,
        points=2,
        manual_points=8,
        objective="medir cuánto cambia lo que dice un modelo al cambiar la frase con que se le "
        "pregunta",
        hints=(
            "Un dibujo se gana si antes se fallaba y después se acierta: hacen falta las dos "
            "respuestas y la verdad.",
            "`before == groups` dice cuáles se acertaban; haz lo mismo con `after`.",
            "Se ganan los de `second & ~first` y se pierden los de `first & ~second`.",
        ),
    ),
    Task(
        function="won_and_lost",
        cases=(
            Case("doce dibujos de tres grupos", _case(12, 3, 0)),
            Case("treinta dibujos de ocho grupos", _case(30, 8, 1)),
            Case("cuarenta dibujos de cuatro grupos", _case(40, 4, 2)),
            example(
                torch.tensor([0, 1, 1, 2]), torch.tensor([0, 2, 0, 0]), torch.tensor([0, 1, 0, 1])
            ),
        ),
        reference=_by_loops,
        outputs=("los ganados", "los perdidos"),
        differentiable=False,
        mistakes=(
            Mistake(
                "al-reves",
                "están al revés: primero los que se ganan y después los que se pierden",
                (_swapped,),
            ),
            Mistake(
                "aciertos",
                "has contado los aciertos de cada frase: los que se aciertan con las dos ni se "
                "ganan ni se pierden",
                (_all_right,),
            ),
            Mistake(
                "todos-los-que-cambian",
                "un dibujo que pasa de un fallo a otro fallo no se ha perdido: ya lo estaba",
                (_changed,),
            ),
            Mistake(
                "el-neto",
                "eso es la diferencia: los que se ganan y los que se pierden se cuentan aparte",
                (_net,),
            ),
            Mistake("en-partes", "se pide cuántos, y no qué parte", (_shares,)),
        ),
    ),
)
