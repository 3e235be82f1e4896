"""Compuertas: leerlas, iniciarlas para que recuerden, y la GRU tal como se publicó."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell, unroll

# Qué trozo de los pesos de PyTorch (de `hidden_size` filas) corresponde a cada compuerta.
KEEP_GATE = {nn.LSTM: 1, nn.GRU: 1}  # LSTM: entrada, olvido, …; GRU: reinicio, actualización, …
WRITE_GATE = {nn.LSTM: 0}  # en la GRU, escribir es 1 − conservar: no hay nada más que iniciar


class ResetFirstGRUCell(GRUCell):
    """Celda GRU en su versión publicada: el reinicio actúa antes de proyectar.

    h̃⁽ᵗ⁾ = tanh(x⁽ᵗ⁾W_x + (R ⊙ h⁽ᵗ⁻¹⁾)W_h + b), con los mismos pesos que `GRUCell`.
    Fuente: Cho et al. (2014), ec. 8.
    """

    def forward(self, x: Float[Tensor, "B Dx"], h: Float[Tensor, "B Dh"]) -> Float[Tensor, "B Dh"]:
        """Un paso en el tiempo: dos productos, y el segundo espera a la compuerta."""
        d = self.d_hidden
        x_gates, x_new = self.input_proj(x).split([2 * d, d], dim=-1)
        w_gates, w_new = self.hidden_proj.weight.split([2 * d, d])
        b_gates, b_new = self.hidden_proj.bias.split([2 * d, d])
        reset, update = torch.sigmoid(x_gates + h @ w_gates.T + b_gates).chunk(2, dim=-1)
        candidate = torch.tanh(x_new + (reset * h) @ w_new.T + b_new)
        return update * h + (1 - update) * candidate


def gate_values(cell: LSTMCell | GRUCell, x: Float[Tensor, "B T Dx"]) -> dict[str, Tensor]:
    """Apertura de cada compuerta en cada paso, entre 0 y 1: `(B, T, Dh)` por su nombre.

    LSTM: `input`, `forget` y `output`. GRU: `reset` y `update`.
    Errores: `TypeError` si la celda no tiene compuertas.
    """
    if not isinstance(cell, LSTMCell | GRUCell):
        raise TypeError(f"{type(cell).__name__} no tiene compuertas: usa LSTMCell o GRUCell")
    states, _ = unroll(cell, x)
    previous = torch.cat([torch.zeros_like(states[:, :1]), states[:, :-1]], dim=1)
    sums = cell.input_proj(x) + cell.hidden_proj(previous)
    if isinstance(cell, LSTMCell):
        write, forget, _, output = sums.chunk(4, dim=-1)
        opened = {"input": write, "forget": forget, "output": output}
    else:
        reset, update, _ = sums.chunk(3, dim=-1)
        opened = {"reset": reset, "update": update}
    return {name: torch.sigmoid(value) for name, value in opened.items()}


def memory_biases(d_hidden: int, max_length: int) -> Float[Tensor, " Dh"]:
    """Sesgos para recordar hasta T = `max_length` pasos: el logaritmo de u ~ U(1, T − 1).

    Con ese sesgo una compuerta pierde 1/(1 + u) en cada paso: su memoria dura 1 + u.
    Errores: `ValueError` si `max_length` no llega a 2.
    Fuente: Tallec y Ollivier (2018).
    """
    if max_length < 2:
        raise ValueError(f"max_length={max_length}: una memoria dura al menos 2 pasos")
    return torch.empty(d_hidden).uniform_(1, max_length - 1).log()


@torch.no_grad()
def init_memory(rnn: nn.LSTM | nn.GRU, keep: float | Tensor, *, balance: bool = False) -> None:
    """Inicia el sesgo de la compuerta que conserva: olvido (LSTM) o actualización (GRU).

    PyTorch suma dos sesgos por compuerta: uno recibe `keep` y el otro queda a cero. Con
    `balance`, la de entrada de la LSTM recibe `-keep`, y escribe tan poco como olvida.
    Errores: `TypeError` si la red no tiene compuertas.
    Fuente: Jozefowicz et al. (2015), con `keep=1`; Tallec y Ollivier (2018), equilibrado.
    """
    if type(rnn) not in KEEP_GATE:
        raise TypeError(f"{type(rnn).__name__} no tiene compuertas: usa nn.LSTM o nn.GRU")
    _set_bias(rnn, KEEP_GATE[type(rnn)], keep)
    if balance and type(rnn) in WRITE_GATE:
        _set_bias(rnn, WRITE_GATE[type(rnn)], -keep)


def _set_bias(rnn: nn.LSTM | nn.GRU, gate: int, value: float | Tensor) -> None:
    rows = slice(gate * rnn.hidden_size, (gate + 1) * rnn.hidden_size)
    rnn.bias_ih_l0[rows] = value
    rnn.bias_hh_l0[rows] = 0.0


@torch.no_grad()
def copy_cell(rnn: nn.RNN | nn.LSTM | nn.GRU) -> RNNCell | LSTMCell | GRUCell:
    """Celda del curso con los pesos de la primera capa de una red de PyTorch.

    La red de PyTorch va más deprisa; en la celda se puede mirar dentro.
    Errores: `TypeError` si es una red simple con ReLU: la celda del curso lleva tangente.
    """
    if rnn.mode == "RNN_RELU":
        raise TypeError("una red simple con ReLU no es una RNNCell, que lleva tangente")
    cells = {nn.RNN: RNNCell, nn.LSTM: LSTMCell, nn.GRU: GRUCell}
    cell = cells[type(rnn)](rnn.input_size, rnn.hidden_size).to(rnn.weight_ih_l0)
    for projection, kind in ((cell.input_proj, "ih"), (cell.hidden_proj, "hh")):
        projection.weight.copy_(getattr(rnn, f"weight_{kind}_l0"))
        projection.bias.copy_(getattr(rnn, f"bias_{kind}_l0"))
    return cell
