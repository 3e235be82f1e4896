"""Ejercicio de código: las dos pendientes de la pérdida Dice, deducidas a mano."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(chance, target):
    moved = chance.double().requires_grad_()
    true = target.double()
    loss = 1 - (2 * (moved * true).sum() + 1) / (moved.sum() + true.sum() + 1)
    (slope,) = torch.autograd.grad(loss, moved)
    return float(slope[true > 0][0]), float(slope[true == 0][0])


def _variant(one=1.0, double=2, still=False, power=2, sign=1, swapped=False):
    def slopes(chance, target):
        up = double * float((chance * target).sum()) + one
        down = float(chance.sum() + target.sum()) + one
        inside, outside = (up - double * down) / down**power, up / down**power
        if still:
            inside, outside = -double / down, 0.0
        pair = (sign * inside, sign * outside)
        return pair[::-1] if swapped else pair

    return slopes


def _case(inside, outside, seed):
    def make():
        chance = 0.05 + 0.9 * torch.rand(inside + outside, generator=seeded(seed))
        target = torch.cat([torch.ones(inside), torch.zeros(outside)])
        return chance, target

    return make


SLOPES = Exercise(
    Card(
        id="pendientes-de-la-dice",
        title="Dos pendientes y nada más",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="deducir cómo empuja una pérdida a cada punto sin preguntárselo a autograd",
        hints=(
            "Llama $N$ a lo de arriba de la fracción y $D$ a lo de abajo: los dos dependen de "
            "$m_p$.",
            "Al mover $m_p$, $D$ crece siempre a ritmo 1, y $N$, a ritmo 2 si el punto es del "
            "objeto y a ritmo 0 si no.",
            "La derivada de un cociente es $(N' D - N D') / D^2$, y la pérdida lo lleva restando.",
        ),
    ),
    Task(
        function="dice_slopes",
        cases=(
            Case("tres puntos dentro y cinco fuera", _case(3, 5, 0)),
            Case("uno dentro y muchos fuera", _case(1, 30, 1)),
            Case("casi todos dentro", _case(9, 2, 2)),
            Case("uno y uno", _case(1, 1, 3)),
            Case("sin autograd", _case(2, 3, 4), Rules(banned=("autograd",))),
            example(torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0]), in_words=True),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "denominador-quieto",
                "has derivado solo lo de arriba: lo de abajo también cambia con m",
                (_variant(still=True),),
            ),
            Mistake(
                "sin-el-uno",
                "falta el 1 que se suma arriba y abajo de la fracción",
                (_variant(one=0.0),),
            ),
            Mistake(
                "sin-el-dos",
                "falta el 2 que multiplica a lo común: al derivar sigue ahí",
                (_variant(double=1),),
            ),
            Mistake(
                "sin-cuadrado",
                "en la derivada de un cociente, lo de abajo va al cuadrado",
                (_variant(power=1),),
            ),
            Mistake(
                "del-parecido",
                "esas son las pendientes del parecido: la pérdida es 1 menos él, y van al revés",
                (_variant(sign=-1),),
            ),
            Mistake(
                "cambiadas",
                "están cambiadas: primero la de dentro del objeto y después la de fuera",
                (_variant(swapped=True), _variant(swapped=True, sign=-1)),
            ),
        ),
        outputs=("dentro", "fuera"),
        differentiable=False,
    ),
)
