"""El gradiente por profundidad: contra `.grad` y contra la potencia con la que se hizo."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.recurrent.depth import block_gradient_norms, power_law


def test_equals_backward_and_leaves_the_gradients_alone():
    torch.manual_seed(0)
    blocks = nn.ModuleList(EncoderBlock(8, 2, 16) for _ in range(3))
    x = torch.randn(2, 5, 8)
    for block in blocks:
        x = block(x)
    loss = x.pow(3).mean()
    found = block_gradient_norms(loss, blocks)
    assert all(p.grad is None for p in blocks.parameters())
    loss.backward()
    expected = torch.stack([b.feed_forward.output.weight.grad.norm() for b in blocks])
    torch.testing.assert_close(found, expected)


@given(st.floats(-3, 3), st.floats(0.01, 100))
def test_power_law_recovers_its_exponent(exponent, scale):
    x = [1.0, 2.0, 5.0, 11.0]
    assert power_law(x, [scale * v**exponent for v in x]) == pytest.approx(exponent, abs=1e-6)


@pytest.mark.parametrize(("x", "y"), [([1.0], [2.0]), ([1.0, 2.0], [0.0, 3.0])])
def test_errors(x, y):
    with pytest.raises(ValueError, match="dos puntos o más, y positivos"):
        power_law(x, y)
