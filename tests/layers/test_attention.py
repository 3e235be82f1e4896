"""Atención: paridad con PyTorch, propiedades y errores en español."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.attention import (
    MultiHeadAttention,
    attention,
    attention_weights,
    fused_attention,
    masked_softmax,
)
from tfcourse.layers.masks import causal_mask, combine_masks, padding_mask

B, H, LQ, LK, DK, DV = 3, 2, 5, 7, 8, 6
KERNELS = [attention, fused_attention]


def tensors(n_queries=LQ, n_keys=LK, dtype=torch.float64, seed=0):
    g = torch.Generator().manual_seed(seed)
    shapes = [(B, H, n_queries, DK), (B, H, n_keys, DK), (B, H, n_keys, DV)]
    return [torch.randn(shape, generator=g, dtype=torch.float64).to(dtype) for shape in shapes]


def masks(n_queries, n_keys):
    lengths = torch.tensor([n_keys, max(1, n_keys - 2), 1])
    padding = padding_mask(lengths, n_keys)
    options = {"ninguna": None, "relleno": padding}
    if n_keys >= n_queries:
        causal = causal_mask(n_queries, n_keys)
        options |= {"causal": causal, "ambas": combine_masks(padding, causal)}
    return options


def by_loops(q, k, v, mask=None, bias=None):
    """La definición, un número cada vez: cálculo independiente de cualquier tensor."""
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    full = torch.ones(*q.shape[:-1], k.shape[-2], dtype=torch.bool)
    mask = full if mask is None else mask.expand_as(full)
    bias = torch.zeros(full.shape, dtype=q.dtype) if bias is None else bias.expand_as(full)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for i in range(q.shape[2]):
                visible = [j for j in range(k.shape[2]) if mask[b, h, i, j]]
                scores = [
                    float(q[b, h, i] @ k[b, h, j]) / math.sqrt(q.shape[-1])
                    + float(bias[b, h, i, j])
                    for j in visible
                ]
                total = sum(math.exp(s) for s in scores)
                for j, s in zip(visible, scores, strict=True):
                    out[b, h, i] += math.exp(s) / total * v[b, h, j]
    return out


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("n_queries", "n_keys"), [(LQ, LK), (LQ, LQ), (LK, LQ), (1, LK)])
def test_equals_the_definition_by_loops(kernel, n_queries, n_keys):
    q, k, v = tensors(n_queries, n_keys)
    bias = torch.randn(1, H, n_queries, n_keys, dtype=torch.float64)
    for name, mask in masks(n_queries, n_keys).items():
        for added in (None, bias):
            expected = by_loops(q, k, v, mask, added)
            found = kernel(q, k, v, mask=mask, bias=added)
            torch.testing.assert_close(found, expected, msg=lambda m, n=name: f"máscara {n}: {m}")


TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n_keys", [LQ, LK])
def test_equals_scaled_dot_product_attention(kernel, dtype, n_keys):
    q, k, v = tensors(LQ, n_keys, dtype)
    tolerance = {"atol": TOLERANCE[dtype], "rtol": TOLERANCE[dtype]}
    for mask in masks(LQ, n_keys).values():
        expected = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        torch.testing.assert_close(kernel(q, k, v, mask=mask), expected, **tolerance)
    bias = torch.randn(B, 1, LQ, n_keys).to(dtype)
    expected = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.expand(B, H, LQ, n_keys))
    torch.testing.assert_close(kernel(q, k, v, bias=bias), expected, **tolerance)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gradients_equal_scaled_dot_product_attention(kernel):
    for mask in masks(LQ, LK).values():
        ours = [t.requires_grad_() for t in tensors()]
        theirs = [t.requires_grad_() for t in tensors()]
        kernel(*ours, mask=mask).square().sum().backward()
        F.scaled_dot_product_attention(*theirs, attn_mask=mask).square().sum().backward()
        for a, b in zip(ours, theirs, strict=True):
            torch.testing.assert_close(a.grad, b.grad)


def test_formula_passes_gradcheck():
    q, k, v = (t[:1, :1].requires_grad_() for t in tensors(2, 3))
    mask = causal_mask(2, 3)
    assert torch.autograd.gradcheck(lambda *t: attention(*t, mask=mask), (q, k, v))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("with_bias", [False, True])
def test_fully_masked_row_gives_zeros_and_finite_gradients(kernel, with_bias):
    q, k, v = (t.requires_grad_() for t in tensors())
    mask = padding_mask(torch.tensor([LK, 0, 2]), LK)
    bias = torch.randn(B, H, LQ, LK, dtype=torch.float64) if with_bias else None
    out = kernel(q, k, v, mask=mask, bias=bias)
    assert (out[1] == 0).all() and out.isfinite().all()
    out.sum().backward()
    for tensor in (q, k, v):
        assert tensor.grad.isfinite().all() and (tensor.grad[1] == 0).all()


def test_the_future_never_alters_the_past():
    q, k, v = tensors(LQ, LQ)
    changed = [
        torch.cat([t[..., :3, :], torch.randn_like(t[..., 3:, :])], dim=-2) for t in (q, k, v)
    ]
    for kernel in KERNELS:
        before = kernel(q, k, v, mask=causal_mask(LQ))
        after = kernel(*changed, mask=causal_mask(LQ))
        torch.testing.assert_close(before[..., :3, :], after[..., :3, :])
        assert not torch.allclose(before[..., 3:, :], after[..., 3:, :])


def test_causal_queries_are_the_last_positions():
    q, k, v = tensors(LQ, LQ)
    whole = attention(q, k, v, mask=causal_mask(LQ))
    tail = attention(q[..., -2:, :], k, v, mask=causal_mask(2, LQ))
    torch.testing.assert_close(whole[..., -2:, :], tail)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 9), st.integers(0, 2**16))
def test_weights_are_a_distribution_and_follow_permutations(n_queries, n_keys, seed):
    q, k, v = tensors(n_queries, n_keys, seed=seed)
    weights = attention_weights(q, k)
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
    assert (weights >= 0).all()
    order = torch.randperm(n_keys, generator=torch.Generator().manual_seed(seed))
    mixed = fused_attention(q, k[..., order, :], v[..., order, :])
    torch.testing.assert_close(mixed, fused_attention(q, k, v))
    out = attention(q, k, v)
    assert (out <= v.amax(-2, keepdim=True) + 1e-9).all()
    assert (out >= v.amin(-2, keepdim=True) - 1e-9).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.integers(0, 4), st.integers(0, 2**16))
def test_padding_never_matters(n_keys, n_padding, seed):
    q, k, v = tensors(LQ, n_keys, seed=seed)
    garbage = [torch.full((B, H, n_padding, t.shape[-1]), 1e6, dtype=t.dtype) for t in (k, v)]
    mask = padding_mask(torch.full((B,), n_keys), n_keys + n_padding)
    for kernel in KERNELS:
        padded = kernel(
            q, torch.cat([k, garbage[0]], -2), torch.cat([v, garbage[1]], -2), mask=mask
        )
        torch.testing.assert_close(padded, kernel(q, k, v))


def test_masked_softmax_without_mask_is_softmax():
    scores = torch.randn(2, 3, 4, dtype=torch.float64)
    torch.testing.assert_close(masked_softmax(scores), scores.softmax(-1))


def multihead_pair(d_model=8, n_heads=2):
    ours = MultiHeadAttention(d_model, n_heads).double()
    theirs = torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True).double()
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    return ours, theirs


def test_multihead_equals_torch_with_weights_copied():
    ours, theirs = multihead_pair()
    q = torch.randn(B, LQ, 8, dtype=torch.float64)
    k, v = torch.randn(2, B, LK, 8, dtype=torch.float64)
    lengths = torch.tensor([LK, 4, 2])
    expected, weights = theirs(
        q,
        k,
        v,
        key_padding_mask=torch.arange(LK) >= lengths[:, None],  # en PyTorch, True = «no mires»
        average_attn_weights=False,
    )
    mask = padding_mask(lengths, LK)
    torch.testing.assert_close(ours(q, k, v, mask=mask), expected)
    torch.testing.assert_close(ours.attention_maps(q, k, mask=mask), weights)


def test_multihead_runs_any_kernel():
    ours, _ = multihead_pair()
    x = torch.randn(B, LQ, 8, dtype=torch.float64)
    expected = ours(x, x, x, mask=causal_mask(LQ))
    ours.kernel = attention
    torch.testing.assert_close(ours(x, x, x, mask=causal_mask(LQ)), expected)
    ours.kernel = lambda q, k, v, *, mask=None, bias=None: torch.zeros_like(q)
    torch.testing.assert_close(ours(x, x, x), ours.out_proj.bias.expand_as(x))


@pytest.mark.usefixtures("sin_tipos")
class TestErrors:
    def test_heads_that_do_not_divide(self):
        with pytest.raises(
            ValueError, match=r"d_model=30 no es divisible entre n_heads=4.*d_model=32"
        ):
            MultiHeadAttention(30, 4)

    @pytest.mark.parametrize("kernel", KERNELS)
    def test_wrong_shapes(self, kernel):
        q, k, v = tensors()
        with pytest.raises(ValueError, match="la consulta mide 8 y la clave 5"):
            kernel(q, k[..., :5], v)
        with pytest.raises(ValueError, match="hay 7 claves y 4 valores"):
            kernel(q, k, v[..., :4, :])
        with pytest.raises(ValueError, match="la secuencia está vacía"):
            kernel(q, k[..., :0, :], v[..., :0, :])
        with pytest.raises(ValueError, match="al menos dos ejes"):
            kernel(q[0, 0, 0], k, v)

    @pytest.mark.parametrize("kernel", KERNELS)
    def test_wrong_masks(self, kernel):
        q, k, v = tensors()
        with pytest.raises(TypeError, match=r"torch.float32.*True = «puede mirar».*bias="):
            kernel(q, k, v, mask=torch.zeros(LQ, LK))
        with pytest.raises(ValueError, match=r"la máscara tiene forma \(5, 6\)"):
            kernel(q, k, v, mask=torch.ones(LQ, LK - 1, dtype=torch.bool))
