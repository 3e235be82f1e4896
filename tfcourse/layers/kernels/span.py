"""Alcance adaptativo: cada cabeza aprende hasta dónde le compensa mirar."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.kernels.partial import check_self_attention, key_mask
from tfcourse.layers.kernels.windows import (
    block_positions,
    check_positive,
    gather_neighbours,
    to_blocks,
    visible_in_blocks,
)


class AdaptiveSpanAttention(nn.Module):
    """Atención de alcance adaptativo: una rampa que vale 1 de cerca y 0 de lejos, y se aprende.

    m_z(x) = min(1, max(0, (R + z − x)/R)) multiplica los pesos de cada distancia x antes de
    normalizar. Se calcula solo la ventana a la que llega la cabeza más larga.
    Fuente: Sukhbaatar et al. (2019), ec. 5. Errores: `ValueError` si los tamaños no son positivos.
    """

    def __init__(
        self,
        n_heads: int,
        max_span: int,
        *,
        start: float = 0.25,
        ramp: int = 32,
        causal: bool = False,
    ):
        super().__init__()
        self.max_span, self.ramp = (
            check_positive("max_span", max_span),
            check_positive("ramp", ramp),
        )
        self.causal = causal
        self.fraction = nn.Parameter(torch.full((n_heads,), start))

    def spans(self) -> Float[Tensor, " H"]:
        """Alcance de cada cabeza, en posiciones: lo que se suma a la pérdida para encogerlo."""
        return self.fraction.clamp(0, 1) * self.max_span

    def soft_window(self, distance: Tensor) -> Float[Tensor, "H ..."]:
        """m_z(x) de cada cabeza para cada distancia."""
        spans = self.spans().reshape(-1, *[1] * distance.ndim)
        return ((self.ramp + spans - distance) / self.ramp).clamp(0, 1)

    def forward(self, q, k, v, *, mask=None, bias=None):
        """Mezcla los valores a los que llega cada cabeza."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        length = q.shape[2]
        farthest = math.ceil(self.spans().max().item() + self.ramp)
        block, reach = min(farthest, length), (1, 0 if self.causal else 1)
        queries, keys = block_positions(length, block, *reach, device=q.device)
        allowed = keys <= queries if self.causal else (keys - queries).abs() <= length
        shown = visible_in_blocks(keys, allowed, length, visible)
        near_k, near_v = (gather_neighbours(to_blocks(x, block), *reach) for x in (k, v))
        scores = to_blocks(q, block) @ near_k.mT / math.sqrt(q.shape[-1])
        window = self.soft_window((queries - keys).abs()) * shown
        scores = scores.masked_fill(window == 0, -math.inf)
        top = scores.amax(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min).detach()
        weights = window * (scores - top).exp()
        total = weights.sum(-1, keepdim=True)
        mixed = weights / total.masked_fill(total == 0, 1.0) @ near_v
        return mixed.flatten(2, 3)[:, :, :length]
