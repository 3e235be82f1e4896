"""NSA en pequeño: cada rama contra su cuenta pareja a pareja, y sus casos extremos."""

import math

import pytest
import torch

from tests.layers.kernels import L, tensors
from tfcourse.layers.attention import attention
from tfcourse.layers.kernels.native_sparse import (
    NativeSparseAttention,
    choose_blocks,
    finished_blocks,
)
from tfcourse.layers.masks import causal_mask


def layer(block=4, n_chosen=2, window=3, seed=0):
    torch.manual_seed(seed)
    made = NativeSparseAttention(8, block, n_chosen, window).double()
    torch.nn.init.normal_(made.key_mix)
    torch.nn.init.normal_(made.value_mix)
    return made


def by_loops(made, q, k, v):
    """Las tres ramas de una cabeza, con bucles: (L, D) → (3, L, D)."""
    b, scale, out = made.block, math.sqrt(q.shape[-1]), torch.zeros(3, *q.shape, dtype=q.dtype)
    w_k, w_v = made.key_mix.softmax(0), made.value_mix.softmax(0)

    def look(i, keys, values):
        return (torch.stack(keys) @ q[i] / scale).softmax(0) @ torch.stack(values)

    for i in range(len(q)):
        done = range((i + 1) // b)
        keys = [sum(w_k[s] * k[n * b + s] for s in range(b)) for n in done]
        weights = (torch.stack(keys) @ q[i]).div(scale).softmax(0) if keys else torch.zeros(0)
        if keys:
            means = [sum(w_v[s] * v[n * b + s] for s in range(b)) for n in done]
            out[0, i] = look(i, keys, means)
        ranked = sorted((n for n in done if n != i // b), key=lambda n: -weights[n].item())
        blocks = {i // b, *ranked[: made.n_chosen - 1]}
        seen = [j for j in range(i + 1) if j // b in blocks]
        out[1, i] = look(i, [k[j] for j in seen], [v[j] for j in seen])
        close = range(max(0, i - made.near.window), i + 1)
        out[2, i] = look(i, [k[j] for j in close], [v[j] for j in close])
    return out


@pytest.mark.parametrize("block", [4, 5])
def test_every_branch_equals_the_loops(block):
    made = layer(block)
    q, k, v = (x.detach() for x in tensors())
    found = torch.stack(made.branches(q, k, v))
    for b in range(2):
        for h in range(2):
            expected = by_loops(made, q[b, h], k[b, h], v[b, h])
            torch.testing.assert_close(found[:, b, h], expected)
    gates = made.gates(q).sigmoid()
    expected = torch.einsum("gbhld,bhlg->bhld", found, gates)
    torch.testing.assert_close(made(q, k, v), expected)


def test_with_every_block_the_chosen_branch_is_causal_attention():
    q, k, v = tensors()
    _, chosen, near = layer(n_chosen=L, window=L).branches(q, k, v)
    expected = attention(q, k, v, mask=causal_mask(L))
    torch.testing.assert_close(chosen, expected)
    torch.testing.assert_close(near, expected)


def test_the_future_never_matters():
    made, (q, k, v) = layer(), (x.detach() for x in tensors())
    before = made(q, k, v)
    k[:, :, 15:], v[:, :, 15:] = 7.0, -7.0
    torch.testing.assert_close(made(q, k, v)[:, :, :15], before[:, :, :15])


def test_what_is_finished_and_what_is_chosen():
    assert finished_blocks(5, 2).int().tolist() == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 0],
    ]
    importance = torch.tensor([0.1, 0.7, 0.2, 0.0]).expand(1, 1, 8, 4)
    chosen = choose_blocks(importance, 2, 2)[0, 0]
    assert set(chosen[6].tolist()) == {3, 1} and set(chosen[2].tolist()) == {1, 0}


def test_it_learns_and_explains_itself():
    made, (q, k, v) = layer(), tensors()
    made(q, k, v).square().sum().backward()
    assert all(p.grad.abs().sum() > 0 for p in made.parameters())
    with pytest.raises(ValueError, match="ya es causal"):
        made(q, k, v, mask=causal_mask(L))
    with pytest.raises(ValueError, match="n_chosen=0"):
        layer(n_chosen=0)
