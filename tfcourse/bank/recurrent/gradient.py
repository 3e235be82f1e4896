"""Ejercicio de código: el gradiente de W_h, a través del tiempo."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_autograd(h_0, W_h, states, upstream):
    """Rehace la ida con las entradas que dieron esos estados, y deja derivar a PyTorch."""
    matrix = W_h.detach().clone().double().requires_grad_()
    previous = torch.cat([h_0[:, None], states[:, :-1]], dim=1).double()
    pushed = torch.atanh(states.double()) - previous @ W_h.double()  # x W_x + b
    h, total = h_0.double(), 0.0
    for t in range(states.shape[1]):
        h = torch.tanh(pushed[:, t] + h @ matrix)
        total = total + (h * upstream[:, t].double()).sum()
    return torch.autograd.grad(total, matrix)[0].to(states.dtype)


def _gradient(slope=True, future=True, shift=True, transpose=True, only_last=False, initial=True):
    """La vuelta con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(h_0, W_h, states, upstream):
        total, carried = torch.zeros_like(W_h), torch.zeros_like(h_0)
        for t in reversed(range(states.shape[1])):
            delta = upstream[:, t] + (carried if future else 0)
            delta = delta * (1 - states[:, t] ** 2) if slope else delta
            before = (states[:, t - 1] if t else h_0) if shift else states[:, t]
            if initial or t:
                total = total + before.T @ delta
            if only_last:
                return total
            carried = delta @ (W_h.T if transpose else W_h)
        return total

    return gradient


def _flipped(h_0, W_h, states, upstream):
    return _gradient()(h_0, W_h, states, upstream).T


def _averaged(h_0, W_h, states, upstream):
    return _gradient()(h_0, W_h, states, upstream) / states.shape[1]


def _batch_averaged(h_0, W_h, states, upstream):
    return _gradient()(h_0, W_h, states, upstream) / states.shape[0]


def _case(batch, length, d_hidden, seed, dtype=torch.float32):
    def make():
        shapes = ((batch, d_hidden), (d_hidden, d_hidden))
        shapes += ((batch, length, d_hidden), (batch, length, d_hidden))
        h_0, matrix, raw, upstream = random_tensors(*shapes, seed=seed, dtype=dtype)
        return 0.5 * torch.tanh(h_0), matrix, 0.9 * torch.tanh(raw), upstream

    return make


GRADIENT = Exercise(
    Card(
        id="gradiente-en-el-tiempo",
        title="El gradiente a través del tiempo",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="programar la retropropagación a través del tiempo sin ayuda de autograd",
        hints=(
            "Recorre los pasos del último al primero. Lleva en una variable lo que el futuro pide "
            "al estado de cada paso; al empezar vale cero.",
            "En cada paso: suma lo que pide la pérdida y lo que pide el futuro, y multiplica por "
            "1 − h². Eso es delta. Después, lo que este paso pide al anterior es delta @ W_h.T.",
            "La aportación de cada paso es h_anterior.T @ delta, de forma (Dh, Dh); en el primer "
            "paso, el estado anterior es h_0.",
        ),
    ),
    Task(
        function="gradient_of_w_h",
        cases=(
            Case("2 secuencias de 4 pasos", _case(2, 4, 3, seed=0)),
            Case("una sola secuencia", _case(1, 6, 4, seed=1)),
            Case("secuencias de un paso", _case(3, 1, 3, seed=2)),
            Case("todos los ejes iguales", _case(3, 3, 3, seed=3)),
            Case("números de 64 bits", _case(2, 5, 2, seed=4, dtype=torch.float64)),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "sin-derivada",
                "te falta la derivada de la tangente hiperbólica: multiplica por 1 − h²",
                (_gradient(slope=False),),
            ),
            Mistake(
                "sin-futuro",
                "cada paso solo tiene en cuenta su propia pérdida: falta lo que le pide el paso "
                "siguiente, delta @ W_h.T",
                (_gradient(future=False),),
            ),
            Mistake(
                "estado-actual",
                "has multiplicado por el estado del mismo paso: W_h multiplicó al estado anterior",
                (_gradient(shift=False),),
            ),
            Mistake(
                "sin-trasponer",
                "al volver se multiplica por la traspuesta: delta @ W_h.T",
                (_gradient(transpose=False),),
            ),
            Mistake(
                "solo-el-ultimo-paso",
                "has contado solo el último paso: W_h se usa en todos, y sus gradientes se suman",
                (_gradient(only_last=True),),
            ),
            Mistake(
                "sin-h-0",
                "te falta el primer paso, cuyo estado anterior es `h_0`",
                (_gradient(initial=False),),
            ),
            Mistake(
                "resultado-traspuesto",
                "tu gradiente está traspuesto: es h_anterior.T @ delta, no delta.T @ h_anterior",
                (_flipped,),
            ),
            Mistake(
                "promediado",
                "has dividido: los gradientes de todos los pasos y de todo el lote se suman",
                (_averaged, _batch_averaged),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
