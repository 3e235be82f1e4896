"""Capas reversibles: los mismos gradientes que la retropropagación de siempre, con otra memoria."""

import pytest
import torch

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.blocks import FeedForward
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.reversible import ReversibleBlock, ReversibleSequence, Sublayer
from tfcourse.metrics.time_and_memory import saved_bytes

WIDTH = 16


def pile(depth, dtype=torch.float64):
    torch.manual_seed(0)
    blocks = [
        ReversibleBlock(
            Sublayer(LayerNorm(WIDTH), MultiHeadAttention(WIDTH, 2), attends=True),
            Sublayer(LayerNorm(WIDTH), FeedForward(WIDTH, 32)),
        )
        for _ in range(depth)
    ]
    return ReversibleSequence(blocks).to(dtype)


def gradients(model, run, x):
    model.zero_grad()
    x = x.clone().requires_grad_()
    result = run(x)
    (result * torch.linspace(-1, 1, result.numel(), dtype=x.dtype).view_as(result)).sum().backward()
    return [x.grad, *(p.grad.clone() for p in model.parameters())]


@pytest.mark.parametrize("depth", [1, 4])
def test_same_output_and_gradients_as_plain_backpropagation(depth):
    model, x = pile(depth), torch.randn(2, 7, WIDTH, dtype=torch.float64)
    torch.testing.assert_close(model(x), model.plain(x))
    ours, plain = (gradients(model, run, x) for run in (model, model.plain))
    for a, b in zip(ours, plain, strict=True):
        torch.testing.assert_close(a, b)


def test_inputs_are_rebuilt_from_outputs():
    block = pile(1).blocks[0]
    x1, x2 = torch.randn(2, 3, 5, WIDTH, dtype=torch.float64)
    for a, b in zip(block.inverse(*block(x1, x2)), (x1, x2), strict=True):
        torch.testing.assert_close(a, b)


def test_a_shared_layer_adds_up_its_gradients():
    torch.manual_seed(0)
    layer = Sublayer(LayerNorm(WIDTH), FeedForward(WIDTH, 32))
    model = ReversibleSequence([ReversibleBlock(layer, layer)]).double()
    x = torch.randn(2, 3, WIDTH, dtype=torch.float64)
    ours, plain = (gradients(model, run, x) for run in (model, model.plain))
    for a, b in zip(ours, plain, strict=True):
        torch.testing.assert_close(a, b)


def test_frozen_parameters_stay_out():
    model = pile(2)
    model.blocks[0].g.layer.hidden.weight.requires_grad_(False)
    model(torch.randn(1, 3, WIDTH, dtype=torch.float64)).sum().backward()
    assert model.blocks[0].g.layer.hidden.weight.grad is None
    assert model.blocks[0].g.layer.output.weight.grad is not None


def test_memory_does_not_grow_with_depth():
    x = torch.randn(2, 64, WIDTH, dtype=torch.float64, requires_grad=True)
    piles = {2: pile(2), 8: pile(8)}
    saved = {depth: saved_bytes(lambda m=m: m(x)) for depth, m in piles.items()}
    plain = {depth: saved_bytes(lambda m=m: m.plain(x)) for depth, m in piles.items()}
    assert saved[8] == saved[2] == 2 * x.nelement() * 8
    assert plain[8] > 3.5 * plain[2] > 20 * saved[2]


def test_an_empty_pile_is_explained():
    with pytest.raises(ValueError, match="al menos uno"):
        ReversibleSequence([])
