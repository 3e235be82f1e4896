"""Atención dispersa nativa: resúmenes de todo, los bloques que parecen importar y una ventana."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.kernels.partial import check_self_attention
from tfcourse.layers.kernels.windows import LocalAttention, check_positive, to_blocks


def finished_blocks(length: int, block: int, device=None) -> Bool[Tensor, "L N"]:
    """Qué bloques han acabado ya cuando se lee cada posición, contándola a ella."""
    ends = torch.arange(block - 1, length + block - 1, block, device=device)
    return ends <= torch.arange(length, device=device)[:, None]


def choose_blocks(
    importance: Float[Tensor, "B H L N"], block: int, n_chosen: int
) -> Int[Tensor, "B H L C"]:
    """Los `n_chosen` bloques más importantes de cada consulta; el suyo va siempre.

    Un bloque que empieza después de la consulta no se elige mientras quede otro.
    """
    length, n_blocks = importance.shape[-2:]
    own = torch.arange(length, device=importance.device)[:, None] // block
    place = torch.arange(n_blocks, device=importance.device)
    ranked = importance.masked_fill(place == own, math.inf).masked_fill(place > own, -math.inf)
    return ranked.topk(min(n_chosen, n_blocks), dim=-1).indices


class NativeSparseAttention(nn.Module):
    """Atención dispersa nativa (NSA), en pequeño: tres ramas causales y una compuerta por rama.

    Resumida: cada bloque ya acabado, comprimido en una clave y un valor con pesos que se aprenden.
    Elegida: los `n_chosen` bloques que más pesan en la anterior, leídos enteros. Cercana: una
    ventana. Con muchas posiciones se comparan `L/block + n_chosen · block + window` claves, y no L.
    Fuente: Yuan et al. (2025), § 3; allí los bloques resumidos se solapan, los comprime una red y
    las cabezas de un grupo eligen los mismos. Errores: `ValueError` si un tamaño no es positivo o
    si la secuencia no se mira a sí misma.
    """

    def __init__(self, d_head: int, block: int, n_chosen: int, window: int):
        super().__init__()
        self.block = check_positive("block", block)
        self.n_chosen = check_positive("n_chosen", n_chosen)
        self.near = LocalAttention(window, causal=True)
        self.key_mix = nn.Parameter(torch.zeros(block))
        self.value_mix = nn.Parameter(torch.zeros(block))
        self.gates = nn.Linear(d_head, 3)

    def forward(self, q, k, v, *, mask=None, bias=None):
        """Suma de las tres ramas, cada una con su compuerta."""
        if mask is not None or bias is not None:
            raise ValueError("esta atención ya es causal, y no admite ni mask= ni bias=")
        check_self_attention(q, k)
        gates = self.gates(q).sigmoid().unbind(-1)
        branches = zip(gates, self.branches(q, k, v), strict=True)
        return sum(gate[..., None] * branch for gate, branch in branches)

    def branches(self, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """La mezcla de cada rama: resumida, elegida y cercana."""
        importance, summaries = self.compressed(q, k, v)
        chosen = choose_blocks(importance, self.block, self.n_chosen)
        return summaries, self.selected(q, k, v, chosen), self.near.part(q, k, v)[0]

    def compressed(self, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Pesos sobre los bloques acabados, y su mezcla."""
        keys = torch.einsum("bhnsd,s->bhnd", to_blocks(k, self.block), self.key_mix.softmax(0))
        values = torch.einsum("bhnsd,s->bhnd", to_blocks(v, self.block), self.value_mix.softmax(0))
        finished = finished_blocks(q.shape[2], self.block, q.device)
        weights = masked_softmax(q @ keys.mT / math.sqrt(q.shape[-1]), finished)
        return weights, weights @ values

    def selected(self, q: Tensor, k: Tensor, v: Tensor, chosen: Int[Tensor, "B H L C"]) -> Tensor:
        """Atención a las posiciones de los bloques elegidos que no están en el futuro."""
        length = q.shape[2]
        places = chosen[..., None] * self.block + torch.arange(self.block, device=q.device)
        places = places.flatten(-2)  # (B, H, L, C · block)
        keys, values = (_pick(x, places.clamp(max=length - 1)) for x in (k, v))
        scores = (keys @ q[..., None])[..., 0] / math.sqrt(q.shape[-1])
        seen = places <= torch.arange(length, device=q.device)[:, None]
        return (masked_softmax(scores, seen)[..., None, :] @ values)[..., 0, :]


def _pick(x: Tensor, places: Tensor) -> Tensor:
    """Los vectores de unas posiciones, distintas para cada consulta: (B, H, L, n, D)."""
    flat = places.flatten(2)[..., None].expand(-1, -1, -1, x.shape[-1])
    return x.gather(2, flat).unflatten(2, places.shape[2:])
