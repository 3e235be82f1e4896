"""Atención lineal con compuerta: las formas recurrente, paralela y por trozos son la misma."""

import pytest
import torch
import torch.nn.functional as F

from tests.layers.kernels import B, H, L, tensors
from tfcourse.layers.kernels.gated_linear import (
    decay_matrix,
    gated_delta_chunked,
    gated_delta_recurrent,
    gated_linear_chunked,
    gated_linear_parallel,
    gated_linear_recurrent,
)
from tfcourse.layers.kernels.random_features import causal_product


def gates(seed=1):
    g = torch.Generator().manual_seed(seed)
    raw = torch.randn(2, B, H, L, generator=g, dtype=torch.float64)
    return F.logsigmoid(raw[0] + 1).requires_grad_(), raw[1].sigmoid().requires_grad_()


def both(run, *inputs):
    out = run(*inputs)
    weight = torch.linspace(-1, 1, out.numel(), dtype=out.dtype).view_as(out)
    return out, torch.autograd.grad((out * weight).sum(), inputs)


@pytest.mark.parametrize("chunk", [1, 5, 8, 23, 64])
def test_three_ways_of_a_decaying_memory(chunk):
    inputs = (*tensors(), gates()[0])
    expected = both(lambda *x: gated_linear_recurrent(*x)[0], *inputs)
    torch.testing.assert_close(both(gated_linear_parallel, *inputs), expected)
    chunked = both(lambda *x: gated_linear_chunked(*x, chunk=chunk), *inputs)
    torch.testing.assert_close(chunked, expected)


def test_without_forgetting_it_is_linear_attention():
    q, k, v = tensors()
    zero = torch.zeros(B, H, L, dtype=torch.float64)
    out, state = gated_linear_recurrent(q, k, v, zero)
    torch.testing.assert_close(out, causal_product(q, k, v, block=4))
    torch.testing.assert_close(state, k.mT @ v)
    assert decay_matrix(zero)[0, 0].equal(torch.ones(L, L, dtype=torch.float64).tril())


@pytest.mark.parametrize("chunk", [1, 5, 8, 23, 64])
def test_two_ways_of_the_delta_rule(chunk):
    q, k, v = tensors()
    k = F.normalize(k.detach(), dim=-1).requires_grad_()
    inputs = (q, k, v, *gates())
    expected = both(lambda *x: gated_delta_recurrent(*x)[0], *inputs)
    torch.testing.assert_close(
        both(lambda *x: gated_delta_chunked(*x, chunk=chunk), *inputs), expected
    )


def test_the_delta_rule_as_its_matrix_says():
    """La ecuación del artículo, con la matriz I − β k kᵀ escrita entera."""
    q, k, v = (x.detach()[0, 0] for x in tensors())
    k = F.normalize(k, dim=-1)
    log_a, beta = (x.detach()[0, 0] for x in gates())
    state, rows = torch.zeros(8, 8, dtype=torch.float64), []
    for t in range(L):
        erase = torch.eye(8, dtype=torch.float64) - beta[t] * torch.outer(k[t], k[t])
        state = log_a[t].exp() * erase @ state + beta[t] * torch.outer(k[t], v[t])
        rows.append(state.mT @ q[t])
    batch = [x[None, None] for x in (q, k, v, log_a, beta)]
    torch.testing.assert_close(gated_delta_recurrent(*batch)[0][0, 0], torch.stack(rows))


def test_writing_twice_under_one_key():
    """La suma mezcla los dos valores; la regla delta se queda con el último."""
    key = F.normalize(torch.ones(1, 1, 2, 4), dim=-1)
    v = torch.tensor([[3.0], [5.0]])[None, None]
    still, full = torch.zeros(1, 1, 2), torch.ones(1, 1, 2)
    assert gated_linear_recurrent(key, key, v, still)[0].flatten().tolist() == [3.0, 8.0]
    assert gated_delta_recurrent(key, key, v, still, full)[0].flatten().tolist() == [3.0, 5.0]


def test_a_strong_gate_forgets_without_nan():
    q, k, v = tensors()
    log_a = torch.full((B, H, L), -200.0, dtype=torch.float64)
    out = gated_linear_chunked(q, k, v, log_a, chunk=8)
    torch.testing.assert_close(out, (q * k).sum(-1, keepdim=True) * v)
