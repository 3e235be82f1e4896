"""Atención con un latente compartido (MLA): se guarda un resumen y las cabezas lo despliegan."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.cache import LayerCache
from tfcourse.layers.causal import causal_attention
from tfcourse.layers.masks import causal_mask
from tfcourse.layers.rotary import RotaryPositions


class LatentAttention(nn.Module):
    """Autoatención causal con claves y valores que salen de un latente de `d_latent` números.

    De cada posición se guardan el latente c y una clave con posición rotatoria, de `d_rotary`, que
    comparten todas las cabezas: d_latent + d_rotary números, en vez de 2 · n_heads · d_head.
    `absorb` es la misma cuenta sin desplegar el latente: las proyecciones de claves y valores se
    aplican a las consultas y a la mezcla. `norm` hace la norma del latente; sin ella, se deja como
    está. Fuente: DeepSeek-AI (2024a), § 2.1 y apéndice C; sin comprimir las consultas, que no
    cambia la caché. Errores: `ValueError` si algún tamaño no es positivo o `d_rotary` es impar.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_head: int,
        d_latent: int,
        d_rotary: int,
        max_length: int,
        norm: Callable[[int], nn.Module] = nn.Identity,
    ):
        super().__init__()
        if min(d_model, n_heads, d_head, d_latent, d_rotary) < 1 or d_rotary % 2:
            raise ValueError(
                f"d_model={d_model}, n_heads={n_heads}, d_head={d_head}, d_latent={d_latent}, "
                f"d_rotary={d_rotary}: deben ser positivos, y d_rotary, par"
            )
        self.n_heads, self.d_head, self.d_latent = n_heads, d_head, d_latent
        self.rotary = RotaryPositions(max_length, d_rotary)
        self.q_proj = nn.Linear(d_model, n_heads * (d_head + d_rotary), bias=False)
        self.down_proj = nn.Linear(d_model, d_latent + d_rotary, bias=False)  # a la caché
        self.latent_norm = norm(d_latent)
        self.key_up = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.value_up = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.out_proj = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(
        self, x: Float[Tensor, "B L D"], cache: LayerCache | None = None, *, absorb: bool = False
    ) -> Float[Tensor, "B L D"]:
        """Lee las posiciones nuevas, desplegando el latente o sin desplegarlo (`absorb`)."""
        start = 0 if cache is None else cache.length
        q = self.q_proj(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        content, turned = q[..., : self.d_head], self.rotary(q[..., self.d_head :], start)
        latent, key = self.down_proj(x)[:, None].split(
            [self.d_latent, q.shape[-1] - self.d_head], -1
        )
        latent, key = self.latent_norm(latent), self.rotary(key, start)
        if cache is not None:
            latent, key = cache.extend(latent, key)
        mix = self._absorbed if absorb else self._unfolded
        return self.out_proj(mix(content, turned, latent, key).transpose(1, 2).flatten(2))

    def _unfolded(self, content, turned, latent, key):
        """Despliega claves y valores de cada cabeza y atiende como siempre."""
        keys, values = (
            up(latent[:, 0]).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for up in (self.key_up, self.value_up)
        )
        keys = torch.cat([keys, key.expand(-1, self.n_heads, -1, -1)], dim=-1)
        return causal_attention(torch.cat([content, turned], dim=-1), keys, values)

    def _absorbed(self, content, turned, latent, key):
        """Lleva las consultas al espacio del latente; la mezcla se despliega al final, una vez."""
        up_k, up_v = (
            up.weight.unflatten(0, (self.n_heads, -1)) for up in (self.key_up, self.value_up)
        )  # (H, d_head, d_latent)
        scores = (content @ up_k) @ latent.mT + turned @ key.mT
        scores = scores / math.sqrt(content.shape[-1] + turned.shape[-1])
        past = causal_mask(content.shape[2], latent.shape[2], device=content.device)
        return masked_softmax(scores, past) @ latent @ up_v.mT
