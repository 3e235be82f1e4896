"""ModernBERT: un BERT con posiciones rotatorias, compuerta y capas que solo miran cerca."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.gated import GatedFeedForward
from tfcourse.layers.masks import padding_mask
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.rotary import RotaryPositions


@dataclass(frozen=True)
class ModernBertConfig:
    """Tamaños de un ModernBERT; los de `base` son los del artículo.

    Una capa de cada `full_every`, la primera de cada grupo, mira a todo y gira con `base`; las
    demás miran a `reach` tokens por cada lado y giran con `near_base`.
    Fuente: Warner et al. (2025), § 2 y apéndice A.
    """

    n_tokens: int
    d_model: int = 768
    n_heads: int = 12
    n_layers: int = 22
    d_hidden: int = 1_152
    max_length: int = 8_192
    full_every: int = 3
    reach: int = 64
    base: float = 160_000.0
    near_base: float = 10_000.0

    def sees_all(self, layer: int) -> bool:
        """Si esa capa mira a toda la secuencia."""
        return layer % self.full_every == 0


class RotaryAttention(MultiHeadAttention):
    """Atención multicabeza, sin sesgos, que gira consultas y claves según su posición."""

    def __init__(self, d_model: int, n_heads: int, rotary: RotaryPositions):
        super().__init__(d_model, n_heads)
        self.rotary = rotary
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def heads(
        self, q: Float[Tensor, "B Lq D"], k: Float[Tensor, "B Lk D"], v: Float[Tensor, "B Lk D"]
    ) -> tuple[Float[Tensor, "B H Lq Dh"], Float[Tensor, "B H Lk Dh"], Float[Tensor, "B H Lk Dh"]]:
        """Consultas y claves, giradas, y valores de cada cabeza."""
        queries, keys, values = super().heads(q, k, v)
        return self.rotary(queries), self.rotary(keys), values


class GeluGatedFeedForward(GatedFeedForward):
    """La misma red con compuerta, con la GELU exacta en vez de silu (GEGLU).

    Fuente: Shazeer (2020), ec. 6.
    """

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(F.gelu(self.gate(x)) * self.hidden(x))


class ModernBertBlock(nn.Module):
    """Bloque de ModernBERT: norma, atención y suma; norma, red con compuerta y suma.

    El primero no normaliza antes de atender: ya lo ha hecho la entrada.
    """

    def __init__(self, config: ModernBertConfig, rotary: RotaryPositions, layer: int):
        super().__init__()
        self.attention_norm = LayerNorm(config.d_model) if layer else nn.Identity()
        self.attention = RotaryAttention(config.d_model, config.n_heads, rotary)
        self.mixer_norm = LayerNorm(config.d_model)
        self.mixer = GeluGatedFeedForward(config.d_model, config.d_hidden)

    def forward(
        self, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "..."]
    ) -> Float[Tensor, "B L D"]:
        """Cada posición consulta a las que permite `mask`."""
        y = self.attention_norm(x)
        x = x + self.attention(y, y, y, mask=mask)
        return x + self.mixer(self.mixer_norm(x))


class ModernBertLM(nn.Module):
    """ModernBERT con su cabeza de huecos, cuya matriz es la de los embeddings.

    Fuente: Warner et al. (2025), § 2.
    """

    def __init__(self, config: ModernBertConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.n_tokens, config.d_model)
        self.first_norm = LayerNorm(config.d_model)
        d_head = config.d_model // config.n_heads
        whole = RotaryPositions(config.max_length, d_head, config.base)
        near = RotaryPositions(config.max_length, d_head, config.near_base)
        self.blocks = nn.ModuleList(
            ModernBertBlock(config, whole if config.sees_all(layer) else near, layer)
            for layer in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.dense = nn.Linear(config.d_model, config.d_model, bias=False)
        self.head_norm = LayerNorm(config.d_model)
        self.output_bias = nn.Parameter(torch.zeros(config.n_tokens))

    def states(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B L D"]:
        """Un vector por token."""
        x = self.first_norm(self.embedding(tokens))
        whole = padding_mask(lengths, tokens.shape[1])
        near = whole & _near_mask(tokens.shape[1], self.config.reach, whole.device)
        for layer, block in enumerate(self.blocks):
            x = block(x, whole if self.config.sees_all(layer) else near)
        return self.norm(x)

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B L V"]:
        """Logits de lo que había en cada posición."""
        guess = self.head_norm(F.gelu(self.dense(self.states(tokens, lengths))))
        return guess @ self.embedding.weight.T + self.output_bias


def _near_mask(length: int, reach: int, device=None) -> Bool[Tensor, "1 1 L L"]:
    """Máscara de lo cercano: cada posición mira a las que están a `reach` o menos, a los lados."""
    places = torch.arange(length, device=device)
    return ((places[:, None] - places).abs() <= reach)[None, None]
