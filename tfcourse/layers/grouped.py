"""Cabezas que comparten claves y valores: la caché encoge y las consultas siguen siendo las mismas.

Con un grupo por cabeza es la atención multicabeza (MHA); con uno solo, la atención con una única
consulta múltiple (MQA); entre medias, la atención por grupos de consultas (GQA).
"""

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.cache import LayerCache
from tfcourse.layers.causal import causal_attention
from tfcourse.layers.rotary import RotaryPositions


def spread_heads(x: Float[Tensor, "B G L Dh"], n_heads: int) -> Float[Tensor, "B H L Dh"]:
    """Repite cada grupo para las cabezas que lo comparten: 0, 0, 1, 1…

    Errores: `ValueError` si los grupos no se reparten por igual entre las cabezas.
    """
    n_groups = x.shape[1]
    if n_heads < 1 or n_heads % n_groups:
        raise ValueError(
            f"n_heads={n_heads} no es divisible entre {n_groups} grupos de claves y valores: usa "
            "un divisor, p. ej. 1"
        )
    return x.repeat_interleave(n_heads // n_groups, dim=1)


class GroupedQueryAttention(nn.Module):
    """Autoatención causal en la que varias cabezas comparten claves y valores.

    `n_kv_heads` es cuántas cabezas de claves y valores hay, y lo que guarda la caché; `d_head`, lo
    que mide cada una, si no es `d_model` entre `n_heads`. Fuentes: Shazeer (2019), con una sola;
    Ainslie et al. (2023), § 2.2. Errores: `ValueError` si `d_model` no es divisible entre
    `n_heads` y no se dice `d_head`, o `n_heads` entre `n_kv_heads`.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int,
        rotary: RotaryPositions | None = None,
        *,
        d_head: int | None = None,
    ):
        super().__init__()
        uneven = d_head is None and n_heads > 0 and d_model % n_heads
        if n_kv_heads < 1 or n_heads < 1 or n_heads % n_kv_heads or uneven:
            raise ValueError(
                f"d_model={d_model}, n_heads={n_heads}, n_kv_heads={n_kv_heads}: cada uno debe ser "
                "divisible entre el siguiente"
            )
        self.n_heads, self.n_kv_heads, self.rotary = n_heads, n_kv_heads, rotary
        d_head = d_head or d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * d_head)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head)
        self.out_proj = nn.Linear(n_heads * d_head, d_model)

    def forward(
        self, x: Float[Tensor, "B L D"], cache: LayerCache | None = None
    ) -> Float[Tensor, "B L D"]:
        """Lee las posiciones nuevas; en la caché solo entran las cabezas de claves y valores."""
        q = self.q_proj(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        k, v = (
            project(x).unflatten(-1, (self.n_kv_heads, -1)).transpose(1, 2)
            for project in (self.k_proj, self.v_proj)
        )
        if self.rotary is not None:
            start = 0 if cache is None else cache.length
            q, k = self.rotary(q, start), self.rotary(k, start)
        if cache is not None:
            k, v = cache.extend(k, v)
        mixed = causal_attention(q, spread_heads(k, self.n_heads), spread_heads(v, self.n_heads))
        return self.out_proj(mixed.transpose(1, 2).flatten(2))
