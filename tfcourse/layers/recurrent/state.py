"""El estado de una red recurrente entre una ventana de texto y la siguiente."""

from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor, nn


def carry_state(state: Any, fresh: Bool[Tensor, "B"] | None = None) -> Any:
    """El estado que hereda la ventana siguiente: mismo valor, sin historia.

    `state` es un tensor `(N, B, Dh)`, o una tupla de ellos (LSTM), o `None`. Las filas de `fresh`
    empiezan un texto nuevo: su estado vuelve a cero.
    """
    if state is None:
        return None
    if isinstance(state, tuple):
        return tuple(carry_state(part, fresh) for part in state)
    state = state.detach()
    return state if fresh is None else state.masked_fill(fresh[None, :, None], 0.0)


def orthogonal_recurrence_(rnn: nn.RNNBase) -> nn.RNNBase:
    """Inicia las matrices W_h con matrices ortogonales, que no encogen ni estiran el estado.

    Cada compuerta de una GRU o una LSTM recibe la suya. Cambia `rnn` y lo devuelve.
    Fuente: Saxe, McClelland y Ganguli (2014).
    """
    for name, weight in rnn.named_parameters():
        if name.startswith("weight_hh"):
            for block in weight.detach().split(rnn.hidden_size):
                nn.init.orthogonal_(block)
    return rnn


@torch.no_grad()
def identity_recurrence_(rnn: nn.RNN, input_std: float = 0.001) -> nn.RNN:
    """Inicia una red simple en la identidad: al empezar, el estado se conserva entero.

    W_h es la identidad, los sesgos son cero y W_x, normal y muy pequeña. El artículo lo hace con
    ReLU (la IRNN); con tangente, el estado ya no se conserva exacto, pero el gradiente empieza
    igual de vivo. Cambia `rnn` y lo devuelve. Fuente: Le, Jaitly y Hinton (2015), § 3.
    """
    for name, parameter in rnn.named_parameters():
        if name.startswith("weight_hh"):
            nn.init.eye_(parameter)
        elif name.startswith("weight_ih"):
            nn.init.normal_(parameter, std=input_std)
        else:
            nn.init.zeros_(parameter)
    return rnn
