"""Retropropagación a través del tiempo: igual que autograd, y por diferencias finitas."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.recurrent.bptt import backward_through_time, rnn_states


def problem(batch=3, steps=5, d_input=4, d_hidden=6, seed=0):
    g = torch.Generator().manual_seed(seed)
    shapes = ((batch, steps, d_input), (batch, d_hidden), (d_input, d_hidden))
    shapes += ((d_hidden, d_hidden), (d_hidden,), (batch, steps, d_hidden))
    return [torch.randn(shape, generator=g, dtype=torch.float64) for shape in shapes]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 5), st.integers(1, 6), st.integers(0))
def test_equals_autograd(batch, steps, d_input, d_hidden, seed):
    x, h_0, w_x, w_h, b, upstream = problem(batch, steps, d_input, d_hidden, seed % 2**31)
    leaves = [tensor.clone().requires_grad_() for tensor in (w_x, w_h, b, h_0)]
    states = rnn_states(x, leaves[3], *leaves[:3])
    expected = torch.autograd.grad((states * upstream).sum(), leaves)
    ours = backward_through_time(x, h_0, w_h, states.detach(), upstream)
    for name, wanted in zip(("w_x", "w_h", "b", "h_0"), expected, strict=True):
        torch.testing.assert_close(getattr(ours, name), wanted, rtol=1e-10, atol=1e-12)


def test_equals_finite_differences():
    x, h_0, w_x, w_h, b, upstream = problem(seed=1)

    def loss(matrix):
        return (rnn_states(x, h_0, w_x, matrix, b) * upstream).sum()

    states, step = rnn_states(x, h_0, w_x, w_h, b), 1e-6
    ours = backward_through_time(x, h_0, w_h, states, upstream).w_h
    for i, j in ((0, 0), (2, 5), (4, 1)):
        nudge = torch.zeros_like(w_h)
        nudge[i, j] = step
        slope = (loss(w_h + nudge) - loss(w_h - nudge)) / (2 * step)
        torch.testing.assert_close(ours[i, j], slope, rtol=1e-6, atol=1e-6)


def test_a_loss_at_one_step_asks_nothing_of_the_future():
    x, h_0, w_x, w_h, b, upstream = problem(seed=2)
    upstream[:, 3:] = 0.0
    states = rnn_states(x, h_0, w_x, w_h, b)
    whole = backward_through_time(x, h_0, w_h, states, upstream)
    short = backward_through_time(x[:, :3], h_0, w_h, states[:, :3], upstream[:, :3])
    for name in ("w_x", "w_h", "b", "h_0"):
        torch.testing.assert_close(getattr(whole, name), getattr(short, name))


@pytest.mark.usefixtures("sin_tipos")
def test_a_gradient_per_state_is_required():
    x, h_0, w_x, w_h, b, upstream = problem()
    with pytest.raises(ValueError, match="hace falta un gradiente por estado"):
        backward_through_time(x, h_0, w_h, rnn_states(x, h_0, w_x, w_h, b), upstream[:, -1])
