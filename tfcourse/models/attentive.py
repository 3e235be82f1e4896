"""Un decodificador al que se le entrega su atención."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.seq2seq import Memory


class AttentiveDecoder(nn.Module):
    """Decodificador con la atención que se le entregue: es el de Luong, con esa pieza suelta.

    `attention` es cualquier módulo con la firma de `AlignedAttention`. El estado lleva también el
    paso por el que se va, que la atención local necesita.
    Fuente: Luong, Pham y Manning (2015), § 3.
    """

    def __init__(
        self, n_tokens: int, d_embedding: int, d_hidden: int, d_memory: int, attention: nn.Module
    ):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.start_proj = nn.Linear(d_memory, d_hidden)
        self.attention = attention
        self.rnn = nn.GRU(d_embedding, d_hidden, batch_first=True)
        self.combine = nn.Linear(d_memory + d_hidden, d_hidden)
        self.output = nn.Linear(d_hidden, n_tokens)

    def start(self, memory: Memory) -> tuple[Memory, tuple[Tensor, int]]:
        """Prepara las claves, una sola vez, y el estado inicial: s_0 y el paso 0."""
        keys = self.attention.prepare_keys(memory.states)
        prepared = Memory(memory.states, memory.mask, memory.summary, keys)
        return prepared, (torch.tanh(self.start_proj(memory.summary)), 0)

    def forward(
        self, tokens: Int[Tensor, "B Ty"], state: tuple[Tensor, int], memory: Memory
    ) -> tuple[Float[Tensor, "B Ty V"], tuple[Tensor, int], Float[Tensor, "B Ty Tx"]]:
        """Logits de cada paso, último estado y pesos de atención."""
        hidden, position = state
        states, last = self.rnn(self.embedding(tokens), hidden[None])
        context, weights = self.attention(states, memory.keys, memory.states, memory.mask, position)
        attended = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))
        return self.output(attended), (last[0], position + tokens.shape[1]), weights
