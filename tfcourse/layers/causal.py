"""Autoatención causal: la de un modelo que escribe, con posiciones rotatorias y caché."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.layers.attention import MultiHeadAttention, attention_weights
from tfcourse.layers.cache import LayerCache
from tfcourse.layers.masks import causal_mask
from tfcourse.layers.rotary import RotaryPositions


def causal_attention(
    q: Float[Tensor, "*B Lq Dh"], k: Float[Tensor, "*B Lk Dh"], v: Float[Tensor, "*B Lk Dv"]
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención causal: las consultas son las últimas posiciones y ninguna mira al futuro.

    Es `fused_attention` con `causal_mask(Lq, Lk)`, sin construir la máscara cuando no hace falta.
    """
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    if n_queries == 1:  # el último token puede mirarlo todo
        return F.scaled_dot_product_attention(q, k, v)
    if n_queries == n_keys:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    mask = causal_mask(n_queries, n_keys, device=q.device)[0, 0]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


class CausalSelfAttention(MultiHeadAttention):
    """Autoatención multicabeza causal: cada posición se mira a sí misma y a las anteriores.

    Con `rotary` se giran consultas y claves; con caché, las claves y los valores de lo ya leído no
    se vuelven a calcular.
    """

    def __init__(self, d_model: int, n_heads: int, rotary: RotaryPositions | None = None):
        super().__init__(d_model, n_heads, causal_attention)
        self.rotary = rotary

    def forward(
        self, x: Float[Tensor, "B L D"], cache: LayerCache | None = None
    ) -> Float[Tensor, "B L D"]:
        """Lee las posiciones nuevas; las anteriores están en la caché."""
        q, k, v = self.heads(x, 0 if cache is None else cache.length)
        if cache is not None:
            k, v = cache.extend(k, v)
        return self.out_proj(self.kernel(q, k, v).transpose(1, 2).flatten(2))

    def heads(self, x: Float[Tensor, "B L D"], start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Consultas, claves y valores de cada cabeza; las dos primeras, giradas si hay `rotary`."""
        q, k, v = (self.split(proj(x)) for proj in (self.q_proj, self.k_proj, self.v_proj))
        if self.rotary is not None:
            q, k = self.rotary(q, start), self.rotary(k, start)
        return q, k, v

    def maps(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B H L L"]:
        """Pesos de cada cabeza, recalculados."""
        q, k, _ = self.heads(x)
        return attention_weights(q, k, mask=causal_mask(x.shape[1], device=x.device))
