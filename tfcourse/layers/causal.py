"""Autoatención causal: la de un modelo que escribe, con posiciones rotatorias y caché."""

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.attention import MultiHeadAttention, fused_attention
from tfcourse.layers.cache import LayerCache
from tfcourse.layers.masks import causal_mask, combine_masks
from tfcourse.layers.rotary import RotaryPositions


def causal_attention(
    q: Float[Tensor, "*B Lq Dh"],
    k: Float[Tensor, "*B Lk Dh"],
    v: Float[Tensor, "*B Lk Dv"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención causal: las consultas son las últimas posiciones y ninguna mira al futuro.

    Es `fused_attention` con `causal_mask(Lq, Lk)`, sin construir la máscara cuando no hace falta.
    Con `mask` se mira aún menos.
    """
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    if mask is None and bias is None:
        if n_queries == 1:  # el último token puede mirarlo todo
            return F.scaled_dot_product_attention(q, k, v)
        if n_queries == n_keys:
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    past = causal_mask(n_queries, n_keys, device=q.device)[0, 0]
    return fused_attention(q, k, v, mask=combine_masks(past, mask), bias=bias)


class CausalSelfAttention(MultiHeadAttention):
    """Autoatención multicabeza causal: cada posición se mira a sí misma y a las anteriores.

    Con `rotary` se giran consultas y claves; con caché, las claves y los valores de lo ya leído no
    se vuelven a calcular.
    """

    def __init__(self, d_model: int, n_heads: int, rotary: RotaryPositions | None = None):
        super().__init__(d_model, n_heads, causal_attention)
        self.rotary = rotary

    def forward(
        self,
        q: Float[Tensor, "B Lq D"],
        k: Float[Tensor, "B Lk D"],
        v: Float[Tensor, "B Lk D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        cache: LayerCache | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Lee las posiciones nuevas; las anteriores están en la caché."""
        q, k, v = self.heads(q, k, v, start=0 if cache is None else cache.length)
        if cache is not None:
            k, v = cache.extend(k, v)
        mixed = self.kernel(q, k, v, mask=mask, bias=bias)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def heads(
        self,
        q: Float[Tensor, "B Lq D"],
        k: Float[Tensor, "B Lk D"],
        v: Float[Tensor, "B Lk D"],
        *,
        start: int = 0,
    ) -> tuple[Float[Tensor, "B H Lq Dh"], Float[Tensor, "B H Lk Dh"], Float[Tensor, "B H Lk Dh"]]:
        """Lo que recibe el núcleo: consultas y claves, giradas si hay `rotary`, y valores.

        `start` es el lugar de la primera clave; las consultas son las últimas posiciones.
        """
        q, k, v = super().heads(q, k, v)
        if self.rotary is not None:
            q = self.rotary(q, start + k.shape[-2] - q.shape[-2])
            k = self.rotary(k, start)
        return q, k, v

    def attention_maps(
        self,
        q: Float[Tensor, "B Lq D"],
        k: Float[Tensor, "B Lk D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B H Lq Lk"]:
        """Pesos de cada cabeza, recalculados."""
        past = causal_mask(q.shape[1], k.shape[1], device=q.device)
        return super().attention_maps(q, k, mask=combine_masks(past, mask), bias=bias)
