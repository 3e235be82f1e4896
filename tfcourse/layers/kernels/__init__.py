"""Fachada de la atención eficiente: un registro de núcleos con la firma de `attention`."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from tfcourse.layers.attention import attention, fused_attention
from tfcourse.layers.kernels.hashing import LSHAttention
from tfcourse.layers.kernels.low_rank import LinformerAttention
from tfcourse.layers.kernels.mixing import FastformerAttention, FourierMixing
from tfcourse.layers.kernels.patterns import (
    FixedAttention,
    GlobalLocalAttention,
    StridedAttention,
)
from tfcourse.layers.kernels.random_features import PerformerAttention
from tfcourse.layers.kernels.segments import SegmentAttention
from tfcourse.layers.kernels.shared import SharedAttention
from tfcourse.layers.kernels.span import AdaptiveSpanAttention
from tfcourse.layers.kernels.windows import BlockLocalAttention, LocalAttention

Kernel = Callable[..., Tensor]


@dataclass(frozen=True)
class KernelSizes:
    """Lo que un núcleo necesita saber del modelo, y cuánto se le deja mirar.

    `budget` es la ventana, el tamaño del bloque o el del resumen: el ahorro, con un solo número.
    """

    length: int
    n_heads: int
    d_head: int
    budget: int = 32
    global_positions: tuple[int, ...] = (0,)


def _stride(sizes: KernelSizes) -> int:
    return math.isqrt(sizes.length)


def _buckets(sizes: KernelSizes) -> int:
    return 2 * max(1, sizes.length // (2 * sizes.budget))


# Cada núcleo, a partir de los tamaños. Una llamada por capa: los que aprenden algo no se comparten.
KERNELS: dict[str, Callable[[KernelSizes], Kernel]] = {
    "fórmula": lambda s: attention,
    "fusionada": lambda s: fused_attention,
    "bloques": lambda s: BlockLocalAttention(s.budget),
    "ventana": lambda s: LocalAttention(s.budget),
    "saltos": lambda s: StridedAttention(_stride(s)),
    "fija": lambda s: FixedAttention(_stride(s)),
    "alcance": lambda s: AdaptiveSpanAttention(
        s.n_heads, s.length, start=min(1.0, s.budget / s.length), ramp=s.budget
    ),
    "Longformer": lambda s: GlobalLocalAttention(s.budget, s.global_positions),
    "segmentos": lambda s: SegmentAttention(s.budget),
    "LSH": lambda s: LSHAttention(_buckets(s), chunk=s.budget, rounds=2),
    "compartida": lambda s: SharedAttention(2),
    "Linformer": lambda s: LinformerAttention(s.length, min(s.budget, s.length)),
    "Performer": lambda s: PerformerAttention(s.d_head, 2 * s.budget),
    "FNet": lambda s: FourierMixing(),
    "Fastformer": lambda s: FastformerAttention(s.n_heads, s.d_head),
}


def make_kernel(name: str, sizes: KernelSizes) -> Kernel:
    """Crea un núcleo por su nombre: `MultiHeadAttention(d, h, kernel=make_kernel("ventana", …))`.

    Errores: `ValueError` si no hay ninguno con ese nombre; el mensaje los enumera.
    """
    if name not in KERNELS:
        raise ValueError(f"no hay ningún núcleo {name!r}; los que hay: {', '.join(KERNELS)}")
    return KERNELS[name](sizes)


def make_kernels(name: str, sizes: KernelSizes, n_layers: int) -> list[Kernel]:
    """Un núcleo por capa; «compartida» es el mismo objeto para cada dos capas seguidas."""
    if name != "compartida":
        return [make_kernel(name, sizes) for _ in range(n_layers)]
    pairs = [SharedAttention(min(2, n_layers - first)) for first in range(0, n_layers, 2)]
    return [pairs[layer // 2] for layer in range(n_layers)]
