"""El estado entre ventanas: se hereda el valor y se corta el gradiente."""

import torch
from torch import nn

from tfcourse.layers.recurrent.state import (
    carry_state,
    identity_recurrence_,
    orthogonal_recurrence_,
)


def test_value_stays_and_history_goes():
    state = torch.ones(1, 3, 2, requires_grad=True) * 2
    carried = carry_state(state, torch.tensor([False, True, False]))
    assert not carried.requires_grad
    assert carried[0].tolist() == [[2, 2], [0, 0], [2, 2]]
    assert carry_state(None) is None


def test_lstm_state_is_carried_whole():
    h, c = torch.ones(1, 2, 3), torch.full((1, 2, 3), 5.0)
    new_h, new_c = carry_state((h, c), torch.tensor([True, False]))
    assert new_h[0, :, 0].tolist() == [0, 1] and new_c[0, :, 0].tolist() == [0, 5]


def test_recurrent_matrices_are_orthogonal():
    for rnn in (nn.RNN(3, 8, 2), nn.GRU(3, 8), nn.LSTM(3, 8)):
        before = rnn.weight_ih_l0.clone()
        orthogonal_recurrence_(rnn)
        for block in rnn.weight_hh_l0.split(8):
            torch.testing.assert_close(block @ block.T, torch.eye(8), atol=1e-5, rtol=0)
        assert torch.equal(rnn.weight_ih_l0, before)
    deep = orthogonal_recurrence_(nn.RNN(3, 8, 2)).weight_hh_l1
    torch.testing.assert_close(deep @ deep.T, torch.eye(8), atol=1e-5, rtol=0)


def test_an_identity_start_keeps_the_state_and_its_gradient():
    torch.manual_seed(0)
    rnn = identity_recurrence_(nn.RNN(2, 6, nonlinearity="relu", batch_first=True), input_std=0)
    state = torch.rand(1, 3, 6, requires_grad=True)
    _, last = rnn(torch.rand(3, 50, 2), state)
    torch.testing.assert_close(last, state)
    (gradient,) = torch.autograd.grad(last.sum(), state)
    assert torch.equal(gradient, torch.ones_like(state))
    assert identity_recurrence_(nn.RNN(2, 6)).weight_ih_l0.std() < 0.01
