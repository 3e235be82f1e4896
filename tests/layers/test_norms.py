"""Normalización de capa: igual que la de PyTorch, y con las propiedades que promete."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from tfcourse.layers.norms import LayerNorm, RMSNorm, layer_norm


def pair(width):
    ours, theirs = LayerNorm(width).double(), nn.LayerNorm(width, dtype=torch.double)
    with torch.no_grad():
        ours.gain.copy_(torch.randn(width))
        ours.bias.copy_(torch.randn(width))
        theirs.weight.copy_(ours.gain)
        theirs.bias.copy_(ours.bias)
    return ours, theirs


def test_equals_torch_with_gradients():
    ours, theirs = pair(6)
    x = torch.randn(2, 3, 6, dtype=torch.double, requires_grad=True)
    torch.testing.assert_close(ours(x), theirs(x))
    (mine,), (yours,) = (torch.autograd.grad(f(x).square().sum(), x) for f in (ours, theirs))
    torch.testing.assert_close(mine, yours)


def test_the_formula_equals_the_layer():
    ours, _ = pair(6)
    x = torch.randn(2, 3, 6, dtype=torch.double)
    torch.testing.assert_close(layer_norm(x, ours.gain, ours.bias, ours.eps), ours(x))


def test_constant_vector_does_not_divide_by_zero():
    assert (LayerNorm(4)(torch.full((1, 4), 3.0)) == 0).all()


@settings(max_examples=25, deadline=None)
@given(st.floats(0.5, 50), st.floats(-20, 20), st.integers(0, 1000))
def test_scale_and_shift_of_the_input_do_not_matter(scale, shift, seed):
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(seed), dtype=torch.double)
    norm = LayerNorm(8, eps=1e-12).double()
    torch.testing.assert_close(norm(scale * x + shift), norm(x), atol=1e-6, rtol=1e-6)


def test_rms_norm_equals_torch_with_gradients():
    ours, theirs = RMSNorm(6).double(), nn.RMSNorm(6, eps=1e-6, dtype=torch.double)
    with torch.no_grad():
        ours.gain.copy_(torch.randn(6))
        theirs.weight.copy_(ours.gain)
    x = torch.randn(2, 3, 6, dtype=torch.double, requires_grad=True)
    torch.testing.assert_close(ours(x), theirs(x))
    (mine,), (yours,) = (torch.autograd.grad(f(x).pow(3).sum(), x) for f in (ours, theirs))
    torch.testing.assert_close(mine, yours)


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
def test_wrong_width_is_explained(norm):
    with pytest.raises(ValueError, match="miden 5 y esta normalización es de 4"):
        norm(4)(torch.randn(2, 5))
