"""Las maneras de conectar una red recurrente: qué vuelve a entrar, y cuándo se responde."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.recurrent.cells import RNNCell, unroll


class OutputEachStep(nn.Module):
    """Una salida en cada paso, y el estado vuelve a entrar: la red de Elman.

    h⁽ᵗ⁾ = f(x⁽ᵗ⁾, h⁽ᵗ⁻¹⁾) y `o⁽ᵗ⁾ = h⁽ᵗ⁾W_out + b_out`. Fuente: Elman (1990).
    """

    def __init__(self, d_input: int, d_hidden: int, d_output: int):
        super().__init__()
        self.cell = RNNCell(d_input, d_hidden)
        self.output = nn.Linear(d_hidden, d_output)

    def forward(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B T Do"]:
        """Una salida por paso."""
        states, _ = unroll(self.cell, x)
        return self.output(states)


class SingleOutput(OutputEachStep):
    """Una sola salida, al final: el último estado resume la secuencia."""

    def forward(self, x: Float[Tensor, "B T Dx"]) -> Float[Tensor, "B Do"]:
        """Una salida por secuencia."""
        _, last = unroll(self.cell, x)
        return self.output(last)


class OutputFeedback(nn.Module):
    """Vuelve a entrar la salida, no el estado: la red de Jordan.

    h⁽ᵗ⁾ = f(x⁽ᵗ⁾, o⁽ᵗ⁻¹⁾). Con `target`, forzado del profesor: en vez de o⁽ᵗ⁻¹⁾ entra la respuesta
    correcta y⁽ᵗ⁻¹⁾, y todos los pasos se calculan a la vez. Fuente: Jordan (1986).
    """

    def __init__(self, d_input: int, d_hidden: int, d_output: int):
        super().__init__()
        self.d_output = d_output
        self.hidden = nn.Linear(d_input + d_output, d_hidden)
        self.output = nn.Linear(d_hidden, d_output)

    def forward(
        self, x: Float[Tensor, "B T Dx"], target: Float[Tensor, "B T Do"] | None = None
    ) -> Float[Tensor, "B T Do"]:
        """Una salida por paso, en logits; lo que vuelve a entrar es su sigmoide."""
        if target is not None:
            start = torch.zeros_like(target[:, :1])
            return self.respond(x, torch.cat([start, target[:, :-1]], dim=1))
        fed, outputs = x.new_zeros(len(x), self.d_output), []
        for x_t in x.unbind(dim=1):
            outputs.append(self.respond(x_t, fed))
            fed = torch.sigmoid(outputs[-1])
        return torch.stack(outputs, dim=1)

    def respond(self, x: Float[Tensor, "*B Dx"], fed: Float[Tensor, "*B Do"]) -> Tensor:
        """La salida de un paso, o de muchos, sabiendo qué vuelve a entrar en cada uno."""
        return self.output(torch.tanh(self.hidden(torch.cat([x, fed], dim=-1))))


class VectorToSequence(nn.Module):
    """De un vector a una secuencia: el mismo vector entra en todos los pasos.

    h⁽ᵗ⁾ = f([y⁽ᵗ⁻¹⁾ ; v], h⁽ᵗ⁻¹⁾), con v la imagen resumida: así se describe una imagen.
    Fuente: Donahue et al. (2015).
    """

    def __init__(self, d_vector: int, n_tokens: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.vector_proj = nn.Linear(d_vector, d_embedding)
        self.cell = RNNCell(2 * d_embedding, d_hidden)
        self.output = nn.Linear(d_hidden, n_tokens)

    def start(self, vector: Float[Tensor, "B Dv"]) -> tuple[Tensor, Tensor]:
        """Estado al empezar a escribir: el vector resumido y un estado de ceros."""
        summary = torch.relu(self.vector_proj(vector))
        return summary, summary.new_zeros(len(summary), self.cell.d_hidden)

    def forward(
        self, vector: Float[Tensor, "B Dv"], tokens: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        """Logits de todos los pasos, leyendo la descripción correcta."""
        summary, h = self.start(vector)
        repeated = summary[:, None].expand(-1, tokens.shape[1], -1)
        states, _ = unroll(self.cell, torch.cat([self.embedding(tokens), repeated], dim=-1), h)
        return self.output(states)

    def step(
        self, tokens: Int[Tensor, "B 1"], state: tuple[Tensor, Tensor]
    ) -> tuple[Float[Tensor, "B V"], tuple[Tensor, Tensor]]:
        """Un paso al escribir: lee la última palabra y da los logits de la siguiente."""
        summary, h = state
        h = self.cell(torch.cat([self.embedding(tokens[:, 0]), summary], dim=-1), h)
        return self.output(h), (summary, h)
