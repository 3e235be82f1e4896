"""Celdas recurrentes escritas con sus ecuaciones, y el bucle que las desenrolla en el tiempo.

Los nombres y el orden de los pesos son los de PyTorch, para poder copiarlos y comparar.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class RNNCell(nn.Module):
    """Celda recurrente simple: h⁽ᵗ⁾ = tanh(x⁽ᵗ⁾W_x + h⁽ᵗ⁻¹⁾W_h + b).

    Fuente: Elman (1990).
    """

    def __init__(self, d_input: int, d_hidden: int):
        super().__init__()
        self.d_hidden = d_hidden
        self.input_proj = nn.Linear(d_input, d_hidden)
        self.hidden_proj = nn.Linear(d_hidden, d_hidden)

    def forward(self, x: Float[Tensor, "B Dx"], h: Float[Tensor, "B Dh"]) -> Float[Tensor, "B Dh"]:
        """Un paso en el tiempo."""
        return torch.tanh(self.input_proj(x) + self.hidden_proj(h))

    def initial_state(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B Dh"]:
        """Estado inicial de ceros, uno por secuencia del lote."""
        return x.new_zeros(x.shape[0], self.d_hidden)


class GRUCell(nn.Module):
    """Celda GRU: una compuerta de reinicio R y una de actualización Z.

    h⁽ᵗ⁾ = Z ⊙ h⁽ᵗ⁻¹⁾ + (1 − Z) ⊙ h̃⁽ᵗ⁾. El reinicio actúa sobre la proyección del estado,
    como en `nn.GRU` y en el primer borrador del artículo; en el publicado, antes.
    Fuente: Cho et al. (2014), ec. 5–8.
    """

    def __init__(self, d_input: int, d_hidden: int):
        super().__init__()
        self.d_hidden = d_hidden
        self.input_proj = nn.Linear(d_input, 3 * d_hidden)
        self.hidden_proj = nn.Linear(d_hidden, 3 * d_hidden)

    def forward(self, x: Float[Tensor, "B Dx"], h: Float[Tensor, "B Dh"]) -> Float[Tensor, "B Dh"]:
        """Un paso en el tiempo."""
        x_reset, x_update, x_new = self.input_proj(x).chunk(3, dim=-1)
        h_reset, h_update, h_new = self.hidden_proj(h).chunk(3, dim=-1)
        reset = torch.sigmoid(x_reset + h_reset)
        update = torch.sigmoid(x_update + h_update)
        candidate = torch.tanh(x_new + reset * h_new)
        return update * h + (1 - update) * candidate

    def initial_state(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B Dh"]:
        """Estado inicial de ceros, uno por secuencia del lote."""
        return x.new_zeros(x.shape[0], self.d_hidden)


class LSTMCell(nn.Module):
    """Celda LSTM: compuertas de entrada, olvido y salida, y una memoria c que se suma.

    c⁽ᵗ⁾ = F ⊙ c⁽ᵗ⁻¹⁾ + I ⊙ c̃⁽ᵗ⁾;  h⁽ᵗ⁾ = O ⊙ tanh(c⁽ᵗ⁾).
    Fuente: Hochreiter y Schmidhuber (1997); con olvido, Gers et al. (2000).
    """

    def __init__(self, d_input: int, d_hidden: int):
        super().__init__()
        self.d_hidden = d_hidden
        self.input_proj = nn.Linear(d_input, 4 * d_hidden)
        self.hidden_proj = nn.Linear(d_hidden, 4 * d_hidden)

    def forward(
        self, x: Float[Tensor, "B Dx"], state: tuple[Float[Tensor, "B Dh"], Float[Tensor, "B Dh"]]
    ) -> tuple[Float[Tensor, "B Dh"], Float[Tensor, "B Dh"]]:
        """Un paso en el tiempo: del estado (h, c) al siguiente."""
        h, c = state
        gates = self.input_proj(x) + self.hidden_proj(h)
        write, forget, candidate, output = gates.chunk(4, dim=-1)
        c = torch.sigmoid(forget) * c + torch.sigmoid(write) * torch.tanh(candidate)
        return torch.sigmoid(output) * torch.tanh(c), c

    def initial_state(
        self, x: Float[Tensor, "B T Dx"]
    ) -> tuple[Float[Tensor, "B Dh"], Float[Tensor, "B Dh"]]:
        """Estado inicial (h, c) de ceros, uno por secuencia del lote."""
        zeros = x.new_zeros(x.shape[0], self.d_hidden)
        return zeros, zeros


def unroll(cell: nn.Module, x: Float[Tensor, "B T Dx"], state=None):
    """Desenrolla una celda en el tiempo: aplica la misma celda a cada posición de `x`.

    Devuelve los estados ocultos de todos los pasos, `(B, T, Dh)`, y el estado final.
    Errores: `ValueError` si la secuencia está vacía.
    """
    if x.shape[1] == 0:
        raise ValueError("la secuencia está vacía: hace falta al menos un paso de tiempo")
    state = cell.initial_state(x) if state is None else state
    outputs = []
    for x_t in x.unbind(dim=1):
        state = cell(x_t, state)
        outputs.append(state[0] if isinstance(state, tuple) else state)
    return torch.stack(outputs, dim=1), state
