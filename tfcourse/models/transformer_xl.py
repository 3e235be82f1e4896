"""Transformer-XL: un modelo causal que lee por segmentos y recuerda los anteriores."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.blocks import FeedForward, Residual
from tfcourse.layers.relative import RelativeAttention


@dataclass(frozen=True)
class TransformerXLConfig:
    """Tamaños del modelo; `memory_length` es cuántas posiciones recuerda cada capa."""

    n_tokens: int
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    d_hidden: int = 256
    memory_length: int = 64
    dropout: float = 0.0


class TransformerXLBlock(nn.Module):
    """Bloque causal con memoria: atención relativa y red por posición.

    Fuente: Dai et al. (2019), § 3.3; la normalización va detrás, como en el artículo.
    """

    def __init__(self, config: TransformerXLConfig):
        super().__init__()
        width = config.d_model
        self.attention = RelativeAttention(width, config.n_heads)
        self.feed_forward = FeedForward(width, config.d_hidden)
        self.around_attention = Residual(width, config.dropout, norm_first=False)
        self.around_feed_forward = Residual(width, config.dropout, norm_first=False)

    def forward(
        self, x: Float[Tensor, "B L D"], memory: Float[Tensor, "B M D"] | None
    ) -> Float[Tensor, "B L D"]:
        """`memory` son las entradas que tuvo esta misma capa en los segmentos anteriores."""
        x = self.around_attention(x, lambda y: self.attention(y, memory))
        return self.around_feed_forward(x, self.feed_forward)


class TransformerXL(nn.Module):
    """Transformer-XL: logits del token siguiente y la memoria que hereda el segmento siguiente.

    Fuente: Dai et al. (2019). Con `memory=None` empieza un texto nuevo.
    """

    def __init__(self, config: TransformerXLConfig):
        super().__init__()
        self.memory_length = config.memory_length
        self.embedding = nn.Embedding(config.n_tokens, config.d_model)
        self.blocks = nn.ModuleList(TransformerXLBlock(config) for _ in range(config.n_layers))
        self.output = nn.Linear(config.d_model, config.n_tokens)

    def forward(
        self, tokens: Int[Tensor, "B L"], memory: list[Tensor] | None = None
    ) -> tuple[Float[Tensor, "B L V"], list[Tensor]]:
        """Lee un segmento: lo nuevo, con lo recordado de cada capa."""
        x, kept = self.embedding(tokens), []
        for depth, block in enumerate(self.blocks):
            past = None if memory is None else memory[depth]
            kept.append(self.remember(past, x))
            x = block(x, past)
        return self.output(x), kept

    def remember(
        self, past: Float[Tensor, "B M D"] | None, x: Float[Tensor, "B L D"]
    ) -> Float[Tensor, "B K D"]:
        """Las últimas `memory_length` entradas de una capa, sin gradiente."""
        seen = x if past is None else torch.cat([past, x], dim=1)
        return seen[:, max(0, seen.shape[1] - self.memory_length) :].detach()
