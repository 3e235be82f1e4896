"""Retropropagación a través del tiempo, escrita a mano para la celda recurrente simple.

Los vectores son filas: h⁽ᵗ⁾ = tanh(x⁽ᵗ⁾W_x + h⁽ᵗ⁻¹⁾W_h + b).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class RNNGradients:
    """Gradientes de la pérdida respecto de cada parámetro y del estado inicial."""

    w_x: Float[Tensor, "Dx Dh"]
    w_h: Float[Tensor, "Dh Dh"]
    b: Float[Tensor, "Dh"]
    h_0: Float[Tensor, "B Dh"]


def rnn_states(
    x: Float[Tensor, "B T Dx"],
    h_0: Float[Tensor, "B Dh"],
    w_x: Float[Tensor, "Dx Dh"],
    w_h: Float[Tensor, "Dh Dh"],
    b: Float[Tensor, "Dh"],
) -> Float[Tensor, "B T Dh"]:
    """Hacia delante: los estados de todos los pasos, que la vuelta necesitará."""
    states, h = [], h_0
    for x_t in x.unbind(dim=1):
        h = torch.tanh(x_t @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=1)


def backward_through_time(
    x: Float[Tensor, "B T Dx"],
    h_0: Float[Tensor, "B Dh"],
    w_h: Float[Tensor, "Dh Dh"],
    states: Float[Tensor, "B T Dh"],
    upstream: Float[Tensor, "B T Dh"],
) -> RNNGradients:
    """Hacia atrás: del último paso al primero, sumando lo que cada paso debe a los parámetros.

    `upstream[:, t]` es lo que la pérdida de ese paso, por sí sola, pide al estado: ∂Lₜ/∂h⁽ᵗ⁾.
    Errores: `ValueError` si `upstream` no tiene la forma de `states`.
    Fuente: Rumelhart, Hinton y Williams (1986); Werbos (1990).
    """
    if upstream.shape != states.shape:
        raise ValueError(
            f"upstream tiene forma {tuple(upstream.shape)} y los estados, {tuple(states.shape)}: "
            "hace falta un gradiente por estado"
        )
    grad_w_x = x.new_zeros(x.shape[-1], w_h.shape[0])
    grad_w_h, grad_b = torch.zeros_like(w_h), w_h.new_zeros(w_h.shape[0])
    from_future = torch.zeros_like(h_0)
    for t in reversed(range(x.shape[1])):
        previous = states[:, t - 1] if t > 0 else h_0
        delta = (upstream[:, t] + from_future) * (1 - states[:, t] ** 2)
        grad_w_x += x[:, t].T @ delta
        grad_w_h += previous.T @ delta
        grad_b += delta.sum(dim=0)
        from_future = delta @ w_h.T
    return RNNGradients(grad_w_x, grad_w_h, grad_b, h_0=from_future)
