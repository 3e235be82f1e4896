"""Atención por cubos (LSH): cada consulta se compara solo con las claves que se le parecen."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.layers.kernels.partial import (
    Part,
    check_self_attention,
    key_mask,
    merge_parts,
    partial_attention,
)
from tfcourse.layers.kernels.windows import check_positive, gather_neighbours, to_blocks

LAST_RESORT = -1e5  # puntaje de mirarse a sí misma: solo cuenta si no hay nadie más


def lsh_buckets(
    x: Float[Tensor, "*B L D"], rotation: Float[Tensor, "D half"]
) -> Int[Tensor, "*B L"]:
    """Cubo de cada vector: hacia cuál de los ± ejes apunta tras girarlo al azar.

    h(x) = argmax([xR ; −xR]). No depende de la norma. Fuente: Andoni et al. (2015); Kitaev et al.
    (2020), § 2.
    """
    rotated = x @ rotation
    return torch.cat([rotated, -rotated], dim=-1).argmax(dim=-1)


class LSHAttention:
    """Atención por cubos: ordena por cubo, corta en trozos y mira al propio y al anterior.

    La consulta hace también de clave, normalizada, y `k` no se usa; cada posición se mira a sí
    misma solo si no tiene a nadie más. Con varias rondas se mira a la unión de sus cubos.
    Fuente: Kitaev et al. (2020), § 2 y apéndice A; allí los giros cambian en cada paso y aquí los
    fija `seed`. Errores: `ValueError` si el número de cubos no es 1 ni par.
    """

    def __init__(
        self,
        n_buckets: int,
        *,
        chunk: int = 64,
        rounds: int = 1,
        causal: bool = False,
        seed: int = 0,
    ):
        if n_buckets != 1 and n_buckets % 2:
            raise ValueError(f"n_buckets={n_buckets}: debe ser par, porque cada eje da dos cubos")
        self.n_buckets = check_positive("n_buckets", n_buckets)
        self.chunk, self.rounds = check_positive("chunk", chunk), check_positive("rounds", rounds)
        self.causal, self.seed = causal, seed

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Mezcla los valores de las posiciones parecidas."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        places = self.places(q, visible)
        parts = [self.one_round(q, v, places, r) for r in range(self.rounds)]
        return merge_parts(*parts)[0]

    def assign(self, q: Float[Tensor, "B H L D"]) -> Int[Tensor, "B H L R"]:
        """Cubo de cada posición en cada ronda."""
        if self.n_buckets == 1:
            return q.new_zeros(*q.shape[:3], self.rounds, dtype=torch.long)
        generator = torch.Generator().manual_seed(self.seed)
        shape = (self.rounds, q.shape[-1], self.n_buckets // 2)
        rotations = torch.randn(shape, generator=generator).to(q)
        return torch.stack([lsh_buckets(q.detach(), r) for r in rotations], dim=-1)

    def places(
        self, q: Float[Tensor, "B H L D"], visible: Bool[Tensor, "#B #H L"] | None = None
    ) -> Int[Tensor, "B H L C"]:
        """Lo que decide quién ve a quién: posición (desde 1) y, por ronda, cubo y trozo.

        La posición 0 es de nadie: la llevan el relleno y lo que complete el último trozo.
        """
        length, buckets = q.shape[2], self.assign(q)
        position = torch.arange(length, device=q.device).expand(q.shape[:3])
        by_bucket, shown = buckets * length + position[..., None], position + 1
        if visible is not None:  # el relleno, al final, para que no ocupe sitio en los trozos
            shown = shown * visible
            by_bucket = by_bucket + (shown == 0)[..., None] * self.n_buckets * length
        rank = by_bucket.argsort(dim=2).argsort(dim=2)
        return torch.cat([shown[..., None], buckets, rank // self.chunk, rank], dim=-1)

    def compared(
        self, asking: Int[Tensor, "*B q C"], asked: Int[Tensor, "*B k C"]
    ) -> Int[Tensor, "*B q k R"]:
        """En qué rondas se comparan dos posiciones: mismo cubo, y mismo trozo o el anterior."""
        rounds = self.rounds
        i, j = asking[..., :, None, :], asked[..., None, :, :]
        same_bucket = i[..., 1 : 1 + rounds] == j[..., 1 : 1 + rounds]
        chunks = slice(1 + rounds, 1 + 2 * rounds)
        behind = i[..., chunks] - j[..., chunks]
        seen = same_bucket & ((behind == 0) | (behind == 1)) & (j[..., :1] > 0)
        if self.causal:
            seen = seen & (j[..., :1] <= i[..., :1])
        return seen.long()

    def one_round(
        self,
        q: Float[Tensor, "B H L D"],
        v: Float[Tensor, "B H L Dv"],
        places: Int[Tensor, "B H L C"],
        which: int,
    ) -> Part:
        """Una ronda: ordenar, comparar por trozos y devolver cada cosa a su sitio.

        Una pareja que coincide en n rondas pesa 1/n en cada una, y en total, 1.
        """
        rank = places[..., places.shape[-1] - self.rounds + which]
        order = rank.argsort(dim=2)
        q_blocks, k_blocks, v_blocks, p_blocks = (
            to_blocks(_take(x, order), min(self.chunk, x.shape[2]))
            for x in (q, F.normalize(q, dim=-1), v, places)
        )
        near_k, near_v, near_p = (
            gather_neighbours(x, 1, 0) for x in (k_blocks, v_blocks, p_blocks)
        )
        seen = self.compared(p_blocks, near_p)
        discount = -seen.sum(-1).clamp(min=1).to(q.dtype).log()
        itself = p_blocks[..., :, None, 0] == near_p[..., None, :, 0]
        bias = discount.masked_fill(itself, LAST_RESORT)
        mixed, logs = partial_attention(
            q_blocks, near_k, near_v, mask=seen[..., which] > 0, bias=bias
        )
        length = q.shape[2]
        mixed, logs = mixed.flatten(2, 3)[:, :, :length], logs.flatten(2, 3)[:, :, :length]
        return _take(mixed, rank), logs.gather(2, rank)


def _take(x: Tensor, index: Tensor) -> Tensor:
    return x.gather(2, index[..., None].expand(-1, -1, -1, x.shape[-1]))
