"""Ejercicio de código: el gradiente a través del tiempo de otra celda, deducido con papel."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(h_0, W_h, states, inner, upstream, keep):
    """Rehace la ida con las entradas que dieron esos estados, y deja derivar a PyTorch."""
    matrix = W_h.detach().clone().double().requires_grad_()
    previous = torch.cat([h_0[:, None], states[:, :-1]], dim=1).double()
    pushed = torch.atanh(inner.double()) - previous @ W_h.double()  # x W_x + b
    h, total = h_0.double(), 0.0
    for t in range(states.shape[1]):
        h = keep * h + (1 - keep) * torch.tanh(pushed[:, t] + h @ matrix)
        total = total + (h * upstream[:, t].double()).sum()
    return torch.autograd.grad(total, matrix)[0].to(states.dtype)


def _gradient(leak=True, slope="inner", future=True, share=True, shift=True, transpose=True):
    """La vuelta con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(h_0, W_h, states, inner, upstream, keep):
        total, carried = torch.zeros_like(W_h), torch.zeros_like(h_0)
        for t in reversed(range(states.shape[1])):
            asked = upstream[:, t] + carried
            curve = {"inner": inner[:, t], "state": states[:, t], "none": torch.zeros_like(h_0)}
            delta = asked * (1 - curve[slope] ** 2) * ((1 - keep) if share else 1)
            before = (states[:, t - 1] if t else h_0) if shift else states[:, t]
            total = total + before.T @ delta
            carried = (delta @ (W_h.T if transpose else W_h)) * future + keep * asked * leak
        return total

    return gradient


def _case(batch, length, d_hidden, keep, seed, dtype=torch.float32):
    def make():
        shapes = ((batch, d_hidden), (d_hidden, d_hidden))
        shapes += ((batch, length, d_hidden), (batch, length, d_hidden))
        h_0, matrix, raw, upstream = random_tensors(*shapes, seed=seed, dtype=dtype)
        h_0, inner, states = 0.5 * torch.tanh(h_0), 0.9 * torch.tanh(raw), []
        for t in range(length):
            states.append(keep * (states[-1] if states else h_0) + (1 - keep) * inner[:, t])
        return h_0, matrix, torch.stack(states, dim=1), inner, upstream, keep

    return make


GRADIENT = Exercise(
    Card(
        id="gradiente-con-fuga",
        title="El gradiente de otra celda",
        kind="codigo",
        difficulty=3,
        minutes=30,
        points=4,
        objective="deducir la recursión del gradiente de una celda que el capítulo no trae",
        hints=(
            "Dibuja por qué caminos influye el estado de un paso en la pérdida. En la celda del "
            "capítulo eran dos; aquí hay uno más: parte del estado pasa tal cual al siguiente.",
            "Llama γ⁽ᵗ⁾ a la derivada de L respecto de h⁽ᵗ⁾. Es la suma de g⁽ᵗ⁾, de keep · γ⁽ᵗ⁺¹⁾ "
            "y de δ⁽ᵗ⁺¹⁾ W_hᵀ.",
            "δ⁽ᵗ⁾ es la derivada respecto de lo de dentro de la tangente: γ⁽ᵗ⁾ por (1 − keep) y "
            "por 1 − u⁽ᵗ⁾². Con keep = 0 sale la recursión del capítulo.",
        ),
    ),
    Task(
        function="gradient_of_w_h",
        cases=(
            Case("2 secuencias de 4 pasos", _case(2, 4, 3, 0.5, seed=0)),
            Case("casi todo pasa tal cual", _case(2, 6, 3, 0.9, seed=1)),
            Case("sin fuga: la celda del capítulo", _case(3, 4, 2, 0.0, seed=2)),
            Case("un solo paso", _case(2, 1, 3, 0.3, seed=3)),
            Case("tantas secuencias como pasos", _case(3, 3, 3, 0.4, seed=4)),
            Case("números de 64 bits", _case(2, 3, 4, 0.7, seed=5, dtype=torch.float64)),
            Case("sin autograd", _case(2, 3, 2, 0.5, seed=6), Rules(banned=("autograd",))),
            example(
                *map(
                    torch.tensor,
                    ([[0.5]], [[1.0]], [[[0.25], [0.375]]], [[[0.0], [0.5]]], [[[0.0], [1.0]]]),
                ),
                0.5,
            ),
        ),
        reference=_by_autograd,
        tolerance=1e-4,
        differentiable=False,
        mistakes=(
            Mistake(
                "sin-el-camino-directo",
                "te falta un camino: una parte keep del estado pasa al siguiente sin atravesar la "
                "tangente, y por ahí también vuelve gradiente",
                (_gradient(leak=False),),
            ),
            Mistake(
                "sin-futuro",
                "te falta lo que vuelve a través de W_h: δ⁽ᵗ⁺¹⁾ W_hᵀ",
                (_gradient(future=False),),
            ),
            Mistake(
                "sin-derivada",
                "falta la derivada de la tangente hiperbólica, 1 − u²",
                (_gradient(slope="none"),),
            ),
            Mistake(
                "derivada-del-estado",
                "has usado 1 − h²: en esta celda lo que sale de la tangente es u, no el estado",
                (_gradient(slope="state"),),
            ),
            Mistake(
                "sin-la-parte-nueva",
                "falta el factor 1 − keep: solo esa parte de lo nuevo entra en el estado",
                (_gradient(share=False),),
            ),
            Mistake(
                "sin-trasponer",
                "al volver se multiplica por la traspuesta de W_h",
                (_gradient(transpose=False),),
            ),
            Mistake(
                "estado-actual",
                "el gradiente de W_h usa el estado **anterior**, que es el que la multiplica",
                (_gradient(shift=False),),
            ),
        ),
    ),
)
