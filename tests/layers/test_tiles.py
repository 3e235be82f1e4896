"""Softmax en línea y teselas: lo mismo que PyTorch, en la ida y en la vuelta, y sin la matriz."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.layers.kernels import padding, relation, tensors
from tfcourse.layers.attention import attention
from tfcourse.layers.kernels.tiles import online_step, tiled_attention, tiles_to_visit
from tfcourse.layers.masks import causal_mask
from tfcourse.metrics.time_and_memory import peak_bytes, saved_bytes


def gradients(run, *inputs):
    out = run(*inputs)
    weight = torch.linspace(-1, 1, out.numel()).view_as(out).to(out)
    return out, torch.autograd.grad((out * weight).sum(), inputs)


@pytest.mark.parametrize("tile", [1, 5, 8, 23, 64])
@pytest.mark.parametrize("causal", [False, True])
def test_tiles_equal_pytorch_both_ways(tile, causal):
    q, k, v = tensors()
    expected = gradients(lambda *x: F.scaled_dot_product_attention(*x, is_causal=causal), q, k, v)
    found = gradients(lambda *x: tiled_attention(*x, causal=causal, tile=tile), q, k, v)
    torch.testing.assert_close(found, expected)


def test_masks_and_rows_that_see_nobody():
    q, k, v = tensors()
    mask = relation(lambda i, j: (i + j) % 3 > 0 and i != 7) & padding()
    expected = gradients(lambda *x: attention(*x, mask=mask), q, k, v)
    found = gradients(lambda *x: tiled_attention(*x, mask=mask, tile=6), q, k, v)
    torch.testing.assert_close(found, expected)
    assert (found[0][:, :, 7] == 0).all() and all(g.isfinite().all() for g in found[1])


def test_the_queries_are_the_last_positions():
    q, k, v = tensors()
    whole = attention(q, k, v, mask=causal_mask(23))
    for n in range(1, 7):  # con cada corte, la diagonal cae en otro sitio de su tesela
        last = tiled_attention(q[:, :, -n:], k, v, causal=True, tile=4)
        torch.testing.assert_close(last, whole[:, :, -n:])
    with pytest.raises(ValueError, match="al menos una clave por consulta"):
        tiled_attention(q, k[:, :, :5], v[:, :, :5], causal=True)


def test_sixteen_bits_are_accumulated_in_thirty_two():
    q, k, v = (x.detach().float() for x in tensors(length=300))
    short = [x.bfloat16() for x in (q, k, v)]
    found = tiled_attention(*short, causal=True, tile=16)
    exact = attention(*(x.double() for x in short), mask=causal_mask(300))
    assert found.dtype == torch.bfloat16
    assert (found.double() - exact).abs().max() <= 2**-8 * exact.abs().max()  # solo al escribirla
    in_single = tiled_attention(q, k, v, causal=True, tile=16)
    assert (in_single - attention(q, k, v, mask=causal_mask(300))).abs().max() < 1e-6


def test_huge_scores_do_not_overflow():
    q, k, v = (300 * x for x in tensors())
    found = tiled_attention(q, k, v, tile=4)
    torch.testing.assert_close(found, attention(q, k, v))
    state = torch.tensor([-math.inf]), torch.zeros(1), torch.zeros(1, 2)
    top, total, mixed = online_step(state, torch.full((1, 3), -math.inf), torch.ones(3, 2))
    assert top == -math.inf and total == 0 and (mixed == 0).all()


def test_the_future_is_not_even_computed():
    visited = list(tiles_to_visit(64, 64, 16, causal=True))
    assert len(visited) == 4 * 5 // 2 and len(list(tiles_to_visit(64, 64, 16, causal=False))) == 16
    assert len(list(tiles_to_visit(16, 64, 16, causal=True))) == 4


def test_memory_is_counted():
    q, k, v = (torch.randn(1, 1, 512, 16, requires_grad=True) for _ in range(3))
    saved = saved_bytes(lambda: tiled_attention(q, k, v, causal=True, tile=32))
    assert saved == 4 * (4 * 512 * 16 + 512)  # q, k, v, la salida y un número por consulta
    whole = peak_bytes(lambda: attention(q, k, v).sum().backward())
    assert peak_bytes(lambda: tiled_attention(q, k, v, tile=32).sum().backward()) < whole / 8


def test_tiles_must_be_positive():
    with pytest.raises(ValueError, match="tile"):
        tiled_attention(*tensors(), tile=0)
