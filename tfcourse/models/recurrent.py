"""Red recurrente que lee una secuencia entera y responde una vez, al final."""

from dataclasses import dataclass
from functools import partial

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell
from tfcourse.layers.recurrent.gates import copy_cell, init_memory, memory_biases

CELLS = {
    "rnn": nn.RNN,
    "relu": partial(nn.RNN, nonlinearity="relu"),
    "lstm": nn.LSTM,
    "gru": nn.GRU,
}
WITH_GATES = ("lstm", "gru")

# «aula» es nuestro; «articulo», el de Le, Jaitly y Hinton (2015), § 4.1.
VARIANTS = {"aula": {"d_hidden": 32}, "articulo": {"d_hidden": 100}}


@dataclass(frozen=True)
class RecurrentConfig:
    """Configuración: la celda, sus tamaños y cuánto debe recordar al empezar.

    `max_memory` inicia las compuertas para recordar hasta ese número de pasos; con `None` quedan
    como las deja PyTorch. Errores: `ValueError` si la celda no existe o no tiene compuertas que
    iniciar.
    """

    cell: str = "lstm"
    d_input: int = 2
    d_output: int = 1
    d_hidden: int = 32
    max_memory: int | None = None

    def __post_init__(self):
        if self.cell not in CELLS:
            raise ValueError(f"cell={self.cell!r} no existe: usa una de {', '.join(CELLS)}")
        if self.cell not in WITH_GATES and self.max_memory is not None:
            raise ValueError(
                f"max_memory={self.max_memory} con cell={self.cell!r}: una red simple no tiene "
                "compuertas que iniciar; quita max_memory o usa «lstm» o «gru»"
            )


class RecurrentReader(nn.Module):
    """Lector recurrente: lee `(B, T, Dx)` y responde `(B, Dy)` con el último estado."""

    def __init__(self, config: RecurrentConfig):
        super().__init__()
        self.rnn = CELLS[config.cell](config.d_input, config.d_hidden, batch_first=True)
        self.output = nn.Linear(config.d_hidden, config.d_output)
        if config.max_memory is not None:
            keep = memory_biases(config.d_hidden, config.max_memory)
            init_memory(self.rnn, keep, balance=True)

    def forward(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B Dy"]:
        """Respuesta tras leer el último paso."""
        states, _ = self.rnn(x)
        return self.output(states[:, -1])

    def cell(self) -> RNNCell | LSTMCell | GRUCell:
        """Copia de la celda, para mirar dentro: estados, compuertas y gradientes."""
        return copy_cell(self.rnn)
