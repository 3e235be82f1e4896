"""La autoatención causal de hoy: grupos de consultas, giros, normas dentro y ventana."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.cache import LayerCache
from tfcourse.layers.causal import causal_attention
from tfcourse.layers.grouped import GroupedQueryAttention, spread_heads
from tfcourse.layers.norms import RMSNorm
from tfcourse.layers.rotary import RotaryPositions


def window_mask(
    n_queries: int, n_keys: int, window: int, n_sinks: int = 0, device=None
) -> Bool[Tensor, "Lq Lk"]:
    """Máscara de ventana con sumideros: lo que está a `window` pasos o menos, y lo primero.

    Las consultas son las últimas posiciones. Es lo que calcula `SinkAttention`, escrito como
    máscara, que también vale con caché; quien la use debe tapar además el futuro.
    """
    places = torch.arange(n_keys, device=device)
    queries = places[n_keys - n_queries :, None]
    return (queries - places <= window) | (places < n_sinks)


class ModernAttention(GroupedQueryAttention):
    """Autoatención por grupos con lo que se le ha ido añadiendo: cada cosa se puede quitar.

    `qk_norm` normaliza cada consulta y cada clave antes de girarlas (Henry et al., 2020; como en
    Qwen3); `window` limita la mirada, y `n_sinks` salva las primeras posiciones; sin `bias`, como
    en Llama, las proyecciones no llevan sesgo. `d_head` y los errores son los de
    `GroupedQueryAttention`.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int,
        rotary: RotaryPositions | None = None,
        *,
        bias: bool = False,
        qk_norm: bool = False,
        window: int | None = None,
        n_sinks: int = 0,
        d_head: int | None = None,
    ):
        super().__init__(d_model, n_heads, n_kv_heads, rotary, d_head=d_head)
        self.window, self.n_sinks = window, n_sinks
        if not bias:
            for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
                projection.register_parameter("bias", None)
        d_head = d_head or d_model // n_heads
        self.q_norm, self.k_norm = (
            (RMSNorm(d_head), RMSNorm(d_head)) if qk_norm else (nn.Identity(), nn.Identity())
        )

    def forward(
        self, x: Float[Tensor, "B L D"], cache: LayerCache | None = None
    ) -> Float[Tensor, "B L D"]:
        """Lee las posiciones nuevas; en la caché solo entran las cabezas de claves y valores."""
        q, k, v = self.projected(x)
        q, k = self.q_norm(q), self.k_norm(k)
        if self.rotary is not None:
            start = 0 if cache is None else cache.length
            q, k = self.rotary(q, start), self.rotary(k, start)
        if cache is not None:
            k, v = cache.extend(k, v)
        mask = None
        if self.window is not None:
            lengths = q.shape[-2], k.shape[-2]
            mask = window_mask(*lengths, self.window, self.n_sinks, q.device)
        k, v = spread_heads(k, self.n_heads), spread_heads(v, self.n_heads)
        mixed = causal_attention(q, k, v, mask=mask)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def projected(self, x: Float[Tensor, "B L D"]) -> tuple[Tensor, Tensor, Tensor]:
        """Consultas, claves y valores, por cabezas."""
        heads = (self.n_heads, self.n_kv_heads, self.n_kv_heads)
        projections = (self.q_proj, self.k_proj, self.v_proj)
        return tuple(
            project(x).unflatten(-1, (n, -1)).transpose(1, 2)
            for project, n in zip(projections, heads, strict=True)
        )
