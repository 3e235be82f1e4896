"""Casos ligeros de las atenciones eficientes."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import floats, yes
from tfcourse.layers.kernels import (
    KERNELS,
    KernelSizes,
    gated_linear,
    hashing,
    low_rank,
    make_kernels,
    mixing,
    native_sparse,
    patterns,
    random_features,
    segments,
    shared,
    sinks,
    span,
    tiles,
    windows,
)
from tfcourse.layers.kernels import (
    partial as parts,
)

CASES: list[Case] = []
NOT_HERE: dict[str, tuple[str, ...]] = {}
use = partial(case, CASES, mixed=True)
LENGTH, HEADS, WIDTH = 12, 2, 4


def everything(d):
    """Consultas, claves, valores y máscara de relleno."""
    q, k, v = (floats(d, 2, HEADS, LENGTH, WIDTH) for _ in range(3))
    mask = yes(d, 2, 1, 1, LENGTH)
    mask[0, ..., -2:] = False
    return q, k, v, mask


@use(
    hashing.LSHAttention,
    low_rank.LinformerAttention,
    mixing.FourierMixing,
    mixing.FastformerAttention,
    patterns.StridedAttention,
    patterns.FixedAttention,
    patterns.GlobalLocalAttention,
    random_features.PerformerAttention,
    segments.SegmentAttention,
    shared.SharedAttention,
    span.AdaptiveSpanAttention,
    windows.BlockLocalAttention,
    windows.LocalAttention,
    hashing.lsh_buckets,
    random_features.positive_features,
    parts.partial_attention,
    parts.merge_parts,
    parts.key_mask,
    parts.check_self_attention,
    windows.to_blocks,
    windows.gather_neighbours,
    windows.everyone,
    windows.visible_in_blocks,
    windows.block_attention,
    windows.interleave,
    windows.deinterleave,
    windows.interleave_mask,
)
def every_kernel(d):
    q, k, v, mask = everything(d)
    sizes, written = KernelSizes(LENGTH, HEADS, WIDTH, budget=3), []
    for name in KERNELS:
        for kernel in make_kernels(name, sizes, 2):
            kernel = kernel.to(d) if isinstance(kernel, torch.nn.Module) else kernel
            written += [kernel(q, k, v)] if name == "FNet" else [kernel(q, k, v, mask=mask)]
    return written


@use(windows.the_past, random_features.causal_product)
def causal_kernels(d):
    q, k, v, mask = everything(d)
    kernels = (
        hashing.LSHAttention(2, chunk=4, causal=True),
        patterns.StridedAttention(3, causal=True),
        patterns.FixedAttention(3, causal=True),
        random_features.PerformerAttention(WIDTH, 6, causal=True).to(d),
        segments.SegmentAttention(4),
        span.AdaptiveSpanAttention(HEADS, LENGTH, ramp=3, causal=True).to(d),
        windows.BlockLocalAttention(3, causal=True),
        windows.LocalAttention(2, dilation=(1, 2), causal=True),
    )
    return [kernel(q, k, v, mask=mask) for kernel in kernels]


NOT_HERE["recibe el dispositivo y hace su tensor en él: lo usan los casos de los núcleos"] = (
    "layers.kernels.windows.block_positions",
    "layers.kernels.native_sparse.finished_blocks",
)


@use(parts.blockwise_attention)
def by_blocks(d):
    q, k, v, _ = everything(d)
    return parts.blockwise_attention(q, k, v, block=5)


@use(shared.jensen_shannon, shared.layer_similarity, shared.sharing_plan)
def sharing(d):
    maps = [floats(d, 2, HEADS, 5, 5).softmax(dim=-1) for _ in range(3)]
    alike = shared.layer_similarity(maps)
    assert shared.sharing_plan(alike.detach(), 0.5)
    return shared.jensen_shannon(maps[0], maps[1]), alike


NOT_HERE["solo cuenta con las formas, y no toca ningún tensor"] = (
    "layers.kernels.tiles.tiles_to_visit",
)


@use(tiles.tiled_attention, tiles.online_step)
def by_tiles(d):
    q, k, v, mask = everything(d)
    causal = tiles.tiled_attention(q, k, v, causal=True, tile=5)
    return causal, tiles.tiled_attention(q, k, v, mask=mask, tile=5)


@use(sinks.SinkAttention, sinks.SinkCache, sinks.learned_sink)
def with_sinks(d):
    q, k, v, mask = everything(d)
    cache = sinks.SinkCache(3, 2)
    for t in range(LENGTH):
        kept, _ = cache.extend(k[:, :, t : t + 1], v[:, :, t : t + 1])
    logit = floats(d, HEADS)
    learned = sinks.learned_sink(*parts.partial_attention(q, k, v, mask=mask), logit)
    return sinks.SinkAttention(3, 2)(q, k, v, mask=mask), kept, learned


@use(
    native_sparse.NativeSparseAttention,
    native_sparse.choose_blocks,
)
def native_and_sparse(d):
    q, k, v, _ = everything(d)
    return native_sparse.NativeSparseAttention(WIDTH, 3, 2, 2).to(d)(q, k, v)


@use(
    gated_linear.gated_linear_recurrent,
    gated_linear.gated_linear_parallel,
    gated_linear.gated_linear_chunked,
    gated_linear.gated_delta_recurrent,
    gated_linear.decay_matrix,
)
def states(d):
    q, k, v, _ = everything(d)
    decay, write = -floats(d, 2, HEADS, LENGTH).abs(), floats(d, 2, HEADS, LENGTH).sigmoid()
    written = [gated_linear.gated_linear_recurrent(q, k, v, decay)[0]]
    written += [gated_linear.gated_linear_chunked(q, k, v, decay, chunk=5)]
    written += [gated_linear.gated_delta_recurrent(q, k, v, decay, write)[0]]
    return written


@use(gated_linear.gated_delta_chunked, mixed=False)
def delta_by_chunks(d):
    q, k, v, _ = everything(d)
    decay, write = -floats(d, 2, HEADS, LENGTH).abs(), floats(d, 2, HEADS, LENGTH).sigmoid()
    return gated_linear.gated_delta_chunked(q, k, v, decay, write, chunk=5)
