"""Transformer-XL por dentro: el desplazamiento, los cuatro términos y la memoria."""

import math

import pytest
import torch

from tfcourse.layers.positions import sinusoidal_positions
from tfcourse.layers.relative import RelativeAttention, relative_shift


@pytest.mark.parametrize("n_queries, n_keys", [(4, 4), (3, 7), (1, 5)])
def test_shift_against_a_loop(n_queries, n_keys):
    x = torch.randn(2, 3, n_queries, n_keys)
    shifted = relative_shift(x)
    for i in range(n_queries):
        present = i + n_keys - n_queries
        for j in range(present + 1):
            column = n_keys - 1 - (present - j)  # la columna de esa distancia
            torch.testing.assert_close(shifted[..., i, j], x[..., i, column])


def by_loops(layer, x, context):
    """La suma de los cuatro términos del artículo, pareja a pareja."""
    batch, length, width = x.shape
    size, offset = width // layer.n_heads, context.shape[1] - length
    table = sinusoidal_positions(context.shape[1], width).double()
    mixed = torch.zeros_like(x)
    for b in range(batch):
        for h in range(layer.n_heads):
            rows = slice(h * size, (h + 1) * size)
            w_q, w_k, w_v, w_r = (
                p.weight[rows]
                for p in (layer.q_proj, layer.k_proj, layer.v_proj, layer.distance_proj)
            )
            u, v = layer.content_bias[h, 0], layer.distance_bias[h, 0]
            for i in range(length):
                scores = []
                for j in range(i + offset + 1):
                    query, key, distance = (
                        w_q @ x[b, i],
                        w_k @ context[b, j],
                        w_r @ table[i + offset - j],
                    )
                    four = query @ key + query @ distance + u @ key + v @ distance
                    scores.append(four / math.sqrt(size))
                weights = torch.stack(scores).softmax(0)
                mixed[b, i, rows] = weights @ (context[b, : i + offset + 1] @ w_v.T)
    return mixed @ layer.out_proj.weight.T


@pytest.mark.parametrize("memory_length", [0, 3])
def test_four_terms_by_loops(memory_length):
    torch.manual_seed(0)
    layer = RelativeAttention(8, 2).double()
    x = torch.randn(2, 4, 8, dtype=torch.float64)
    memory = torch.randn(2, memory_length, 8, dtype=torch.float64) if memory_length else None
    context = x if memory is None else torch.cat([memory, x], dim=1)
    torch.testing.assert_close(layer(x, memory), by_loops(layer, x, context))


def test_recurrence_is_full_attention_over_the_concatenation_with_the_gradient_stopped():
    torch.manual_seed(0)
    layer = RelativeAttention(8, 2).double()
    past, x = torch.randn(2, 2, 5, 8, dtype=torch.float64).requires_grad_().unbind()
    whole = layer(torch.cat([past, x], dim=1))[:, 5:]
    torch.testing.assert_close(layer(x, past), whole)
    stopped = layer(torch.cat([past.detach(), x], dim=1))[:, 5:]
    for variable in (x, layer.k_proj.weight, layer.distance_bias):
        ours, theirs = (
            torch.autograd.grad(out.square().sum(), variable, retain_graph=True)[0]
            for out in (layer(x, past), stopped)
        )
        torch.testing.assert_close(ours, theirs)
    (nothing,) = torch.autograd.grad(layer(x, past).sum(), past, allow_unused=True)
    assert nothing is None


def test_only_distances_matter():
    """El mismo texto más tarde, sin memoria de lo de antes, da lo mismo."""
    torch.manual_seed(0)
    layer = RelativeAttention(8, 2).double()
    x = torch.randn(1, 6, 8, dtype=torch.float64)
    torch.testing.assert_close(layer(x[:, 2:]), layer(x[:, 2:].clone()))
    changed = x.clone()
    changed[:, -1] += 1.0
    torch.testing.assert_close(layer(x)[:, :-1], layer(changed)[:, :-1])


def test_sizes_are_explained():
    with pytest.raises(ValueError, match="d_model=9 no es divisible entre n_heads=2"):
        RelativeAttention(9, 2)
