"""La atención multicabeza cuesta lo que su núcleo, ni más tiempo ni más memoria."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.costs import growth_exponent, saved_bytes, training_seconds
from tfcourse.layers.attention import MultiHeadAttention, attention, fused_attention

WIDTH, HEADS = 256, 4
MARGIN = 1.05


def ours_and_bare(length):
    """Nuestra capa y lo mismo escrito de seguido sobre `scaled_dot_product_attention`."""
    torch.manual_seed(0)
    layer = MultiHeadAttention(WIDTH, HEADS)
    x = torch.randn(2, length, WIDTH, requires_grad=True)
    projections = (layer.q_proj, layer.k_proj, layer.v_proj)

    def bare():
        heads = [
            F.linear(x, p.weight, p.bias).view(2, length, HEADS, -1).transpose(1, 2)
            for p in projections
        ]
        mixed = F.scaled_dot_product_attention(*heads)
        joined = mixed.transpose(1, 2).reshape(2, length, WIDTH)
        return F.linear(joined, layer.out_proj.weight, layer.out_proj.bias)

    return lambda: layer(x, x, x), bare


@pytest.mark.parametrize("length", [128, 512, 2048])
def test_keeps_no_more_memory_than_the_bare_kernel(length):
    ours, bare = ours_and_bare(length)
    torch.testing.assert_close(ours(), bare())
    assert saved_bytes(ours) <= MARGIN * saved_bytes(bare)


@pytest.mark.lento
@pytest.mark.parametrize("length", [128, 512, 2048])
def test_takes_no_longer_than_the_bare_kernel(length, sin_tipos):
    ours, bare = ours_and_bare(length)
    ratio = float("inf")
    for _ in range(6):  # una máquina ocupada estropea un intento, no todos
        seconds = training_seconds({"nuestra": ours, "núcleo": bare}, repeats=2560 // length + 3)
        ratio = min(ratio, seconds["nuestra"] / seconds["núcleo"])
        if ratio <= MARGIN:
            break
    assert ratio <= MARGIN


def test_formula_keeps_the_whole_matrix_and_the_fused_kernel_does_not():
    lengths = (256, 512, 1024)
    kept = {attention: [], fused_attention: []}
    for kernel, sizes in kept.items():
        for length in lengths:
            q, k, v = torch.randn(3, 1, 1, length, 16, requires_grad=True).unbind()
            sizes.append(saved_bytes(lambda kernel=kernel, q=q, k=k, v=v: kernel(q, k, v)))
    assert growth_exponent(lengths, kept[attention]) > 1.8
    assert growth_exponent(lengths, kept[fused_attention]) < 1.1
