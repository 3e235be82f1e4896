"""Patrones dispersos: además de los vecinos, unas pocas posiciones lejanas elegidas de antemano."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.kernels.partial import (
    Part,
    check_self_attention,
    key_mask,
    merge_parts,
    partial_attention,
)
from tfcourse.layers.kernels.windows import (
    LocalAttention,
    block_attention,
    check_positive,
    deinterleave,
    everyone,
    interleave,
    interleave_mask,
    the_past,
)


class StridedAttention:
    """Atención a saltos: las últimas `stride` posiciones y, hacia atrás, una de cada `stride`.

    Con stride ≈ √L cuesta O(L√L), y cualquier posición llega a cualquier otra en dos capas.
    Fuente: Child et al. (2019), § 4.2 y 4.3, patrón «strided»; aquí los dos conjuntos comparten
    softmax («merged head»). Sin `causal`, el patrón es simétrico. Errores: `ValueError` si `stride`
    no es positivo.
    """

    def __init__(self, stride: int, *, causal: bool = False):
        self.stride, self.causal = check_positive("stride", stride), causal
        self.near = LocalAttention(stride, causal=causal)

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Junta las dos partes, que no comparten ninguna clave."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        return merge_parts(self.near.part(q, k, v, visible), self.far(q, k, v, visible))[0]

    def far(
        self,
        q: Float[Tensor, "B H L Dk"],
        k: Float[Tensor, "B H L Dk"],
        v: Float[Tensor, "B H L Dv"],
        visible: Bool[Tensor, "#B #H L"] | None = None,
    ) -> Part:
        """Una de cada `stride`, sin las que ya están cerca: atención completa en cada columna."""
        length, step = q.shape[2], self.stride
        columns = [interleave(x, step) for x in (q, k, v)]
        place = torch.arange(columns[0].shape[2], device=q.device)
        distance = place[:, None] - place
        allowed = distance > 1 if self.causal else distance.abs() > 1
        allowed = allowed & interleave_mask(visible, q, step)[:, :, None]
        mixed, logs = partial_attention(*columns, mask=allowed)
        logs = deinterleave(logs[..., None], step, length)[..., 0]
        return deinterleave(mixed, step, length), logs


class FixedAttention:
    """Atención fija: el propio bloque y las `n_summary` últimas posiciones de los demás.

    Esas posiciones acaban resumiendo su bloque para todos. Fuente: Child et al. (2019), § 4.2,
    patrón «fixed», con los dos conjuntos en un mismo softmax. Errores: `ValueError` si `n_summary`
    no está entre 1 y `block`.
    """

    def __init__(self, block: int, n_summary: int = 1, *, causal: bool = False):
        if not 1 <= n_summary <= block:
            raise ValueError(f"n_summary={n_summary}: debe estar entre 1 y block={block}")
        self.block, self.n_summary, self.causal = block, n_summary, causal

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Junta el bloque propio y los resúmenes de los otros."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)

        allowed = the_past if self.causal else everyone
        block = min(self.block, q.shape[2])
        own = block_attention(q, k, v, allowed, block=block, reach=(0, 0), visible=visible)
        place = torch.arange(q.shape[2], device=q.device)
        summaries = place[place % self.block >= self.block - self.n_summary]
        if not len(summaries):
            return own[0]
        gap = place[:, None] // self.block - summaries // self.block
        elsewhere = gap > 0 if self.causal else gap != 0
        if visible is not None:
            elsewhere = elsewhere & visible[:, :, None, summaries]
        others = partial_attention(q, k[:, :, summaries], v[:, :, summaries], mask=elsewhere)
        return merge_parts(own, others)[0]


class GlobalLocalAttention:
    """Ventana más posiciones globales, que miran a todas y a las que todas miran.

    `global_positions` se cuentan como los índices de Python: −1 es la última. Fuente: Beltagy et
    al. (2020), § 3.1, que da a las globales otras proyecciones; aquí comparten las de las demás.
    Errores: `ValueError` si no hay posiciones globales o caen fuera de la secuencia.
    """

    def __init__(self, window: int, global_positions: tuple[int, ...] = (0,), *, dilation=1):
        if not global_positions:
            raise ValueError("no hay posiciones globales: da al menos una, o usa LocalAttention")
        self.near = LocalAttention(window, dilation=dilation)
        self.global_positions = global_positions

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """La ventana sin las globales, más las globales; y estas, con atención completa."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        chosen = self._chosen(q)
        if visible is None:
            visible = torch.ones(1, 1, q.shape[2], dtype=torch.bool, device=q.device)
        near = self.near.part(q, k, v, visible.index_fill(2, chosen, False))
        shown = visible[:, :, None, chosen]
        to_global = partial_attention(q, k[:, :, chosen], v[:, :, chosen], mask=shown)
        from_global, _ = partial_attention(q[:, :, chosen], k, v, mask=visible[:, :, None])
        mixed, _ = merge_parts(near, to_global)
        # En precisión mixta, juntar sube a float32 y una mezcla sola se queda en bf16.
        return mixed.index_copy(2, chosen, from_global.to(mixed.dtype))

    def _chosen(self, q: Tensor) -> Tensor:
        length = q.shape[2]
        positions = sorted({p + length if p < 0 else p for p in self.global_positions})
        if positions[0] < 0 or positions[-1] >= length:
            raise ValueError(
                f"hay posiciones globales fuera de una secuencia de {length}: "
                f"{self.global_positions}"
            )
        return torch.tensor(positions, device=q.device)
