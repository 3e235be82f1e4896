"""Ejercicio de código: las cuatro derivadas de DPO, deducidas con papel."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(chosen, rejected, reference_chosen, reference_rejected, beta):
    given = (chosen, rejected, reference_chosen, reference_rejected)
    a, b, c, d = (part.detach().double().requires_grad_() for part in given)
    loss = -F.logsigmoid(beta * ((a - c) - (b - d))).mean()
    return tuple(part.to(chosen.dtype) for part in torch.autograd.grad(loss, (a, b, c, d)))


def _wrong_side(margin):
    return margin.sigmoid()


def _same_pull(margin):
    return torch.ones_like(margin)


def _overflowing(margin):
    return (-margin).exp() / (1 + (-margin).exp())


def _right_side(margin):
    return (-margin).sigmoid()


def _variant(weight=_right_side, mean=True, sign=1.0, outer=True, still=False, mirrored=False,
             referred=True):  # fmt: skip
    """Las cuatro derivadas con alguna pieza cambiada."""

    def gradient(chosen, rejected, reference_chosen, reference_rejected, beta):
        moved = (chosen - rejected) - (reference_chosen - reference_rejected) * referred
        pull = -sign * weight(beta * moved) * (beta if outer else 1.0)
        pull = pull / (len(chosen) if mean else 1)
        if still:
            return pull, -pull, torch.zeros_like(pull), torch.zeros_like(pull)
        return (pull, -pull, pull, -pull) if mirrored else (pull, -pull, -pull, pull)

    return gradient


def _case(size, beta, seed, scale=3.0, dtype=torch.float32):
    def make():
        parts = random_tensors(*[(size,)] * 4, seed=seed, dtype=dtype)
        return *(scale * part - 8 for part in parts), beta

    return make


def _far_apart():
    """Márgenes de 200 y de −200: una pareja de sobra ordenada y otra al revés."""
    return (
        torch.tensor([-50.0, -250.0, -40.0]),
        torch.tensor([-250.0, -50.0, -40.0]),
        *torch.full((2, 3), -60.0),
        1.0,
    )


PREFERRING = Exercise(
    Card(
        id="hacia-donde-empuja-dpo",
        title="Hacia dónde empuja DPO",
        kind="codigo",
        difficulty=3,
        minutes=15,
        points=2,
        objective="deducir las cuatro derivadas de una pérdida y escribirlas sin que se desborden",
        hints=(
            "Llama m a lo de dentro del σ. Las cuatro derivadas son la de −log σ(m), que es un "
            "solo número por pareja, por la de m respecto de cada logaritmo.",
            "La derivada de −log σ(m) es −σ(−m): cerca de 0 si la pareja ya está ordenada, y cerca "
            "de −1 si está al revés.",
            "Las de m son β, −β, −β y β. La pérdida es una media: todo va dividido entre las "
            "parejas. `torch.sigmoid` no se desborda.",
        ),
    ),
    Task(
        function="dpo_gradient",
        cases=(
            Case("cinco parejas", _case(5, 0.1, 0)),
            Case("ocho parejas y otra β", _case(8, 0.5, 1)),
            Case("números de 64 bits", _case(4, 2.0, 2, dtype=torch.float64)),
            Case("una sola pareja", _case(1, 0.3, 3)),
            Case("márgenes de 200 y de −200", _far_apart),
            Case("sin autograd", _case(6, 0.2, 4), Rules(banned=("autograd",))),
            example(*torch.tensor([[-2.0], [-5.0], [-3.0], [-4.0]]), 0.5),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "sin-la-media",
                "es el gradiente de la suma: falta dividir entre las parejas del lote",
                (_variant(mean=False),),
            ),
            Mistake(
                "signo",
                "el signo está al revés: bajando por ahí, lo preferido perdería probabilidad",
                (_variant(sign=-1.0),),
            ),
            Mistake(
                "sin-beta",
                "β está dentro de σ, pero también multiplica fuera: es la regla de la cadena",
                (_variant(outer=False),),
            ),
            Mistake(
                "peso-al-reves",
                "empujas más a las parejas que ya están ordenadas: el peso es σ(−m), y no σ(m)",
                (_variant(weight=_wrong_side),),
            ),
            Mistake(
                "todas-igual",
                "empujas igual a todas las parejas: falta la derivada de −log σ, que depende de m",
                (_variant(weight=_same_pull),),
            ),
            Mistake(
                "referencia-quieta",
                "las derivadas respecto de la referencia no son cero: que no se entrene es otra "
                "cosa, y aquí se piden las cuatro",
                (_variant(still=True),),
            ),
            Mistake(
                "referencia-del-mismo-signo",
                "la referencia entra restando: sus dos derivadas llevan el signo contrario",
                (_variant(mirrored=True),),
            ),
            Mistake(
                "sin-la-referencia",
                "en el margen falta restar lo que dice la referencia",
                (_variant(referred=False),),
            ),
            Mistake(
                "se-desborda",
                "la fórmula es buena, pero una exponencial se desborda: con un margen de 200 sale "
                "un infinito entre otro. Usa `torch.sigmoid`",
                (_variant(weight=_overflowing),),
            ),
        ),
        outputs=(
            "la derivada de chosen", "la derivada de rejected",
            "la derivada de reference_chosen", "la derivada de reference_rejected",
        ),
        differentiable=False,
    ),
)  # fmt: skip
