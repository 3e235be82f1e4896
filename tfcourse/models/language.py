"""Modelo de lenguaje recurrente: lee un símbolo cada vez y da probabilidades al siguiente."""

from dataclasses import dataclass
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.recurrent.state import orthogonal_recurrence_

CELLS = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}

VARIANTS = {
    "aula": {"d_embedding": 64, "d_hidden": 256},
    "grande": {"d_embedding": 128, "d_hidden": 1024},
}


@dataclass(frozen=True)
class LanguageConfig:
    """Tamaños de un modelo de lenguaje recurrente.

    Errores: `ValueError` si algún tamaño no es positivo o la celda no existe.
    """

    n_tokens: int
    d_embedding: int = 64
    d_hidden: int = 256
    cell: str = "rnn"
    n_layers: int = 1

    def __post_init__(self):
        if self.cell not in CELLS:
            raise ValueError(f"cell={self.cell!r}: usa una de {', '.join(CELLS)}")
        for name in ("n_tokens", "d_embedding", "d_hidden", "n_layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: debe ser al menos 1")


class RecurrentLM(nn.Module):
    """Modelo de lenguaje recurrente: embedding, red recurrente y una capa que da los logits.

    `p(x⁽ᵗ⁺¹⁾ | x⁽¹⁾ … x⁽ᵗ⁾) = softmax(h⁽ᵗ⁾W_out + b_out)`. Fuente: Mikolov et al. (2010).
    """

    def __init__(self, config: LanguageConfig):
        super().__init__()
        self.embedding = nn.Embedding(config.n_tokens, config.d_embedding)
        rnn = CELLS[config.cell]
        self.rnn = orthogonal_recurrence_(
            rnn(config.d_embedding, config.d_hidden, config.n_layers, batch_first=True)
        )
        self.output = nn.Linear(config.d_hidden, config.n_tokens)

    def forward(
        self, tokens: Int[Tensor, "B T"], state: Any = None
    ) -> tuple[Float[Tensor, "B T V"], Any]:
        """Logits del símbolo que sigue a cada posición, y el estado para continuar."""
        states, last = self.rnn(self.embedding(tokens), state)
        return self.output(states), last

    def step(self, tokens: Int[Tensor, "B 1"], state: Any) -> tuple[Float[Tensor, "B V"], Any]:
        """Un paso al escribir: lee un símbolo y da los logits del siguiente."""
        logits, state = self(tokens, state)
        return logits[:, -1], state
