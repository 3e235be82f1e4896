"""Compuertas: las dos GRU, los sesgos de memoria y lo que se lee de cada compuerta."""

import math

import pytest
import torch
from torch import nn

from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell, unroll
from tfcourse.layers.recurrent.gates import (
    ResetFirstGRUCell,
    copy_cell,
    gate_values,
    init_memory,
    memory_biases,
)


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def published_gru(cell, x, h):
    """Ecuaciones 5 a 8 de Cho et al. (2014), número a número."""
    d = cell.d_hidden
    (w_x, b_x), (w_h, b_h) = (
        (p.weight.tolist(), p.bias.tolist()) for p in (cell.input_proj, cell.hidden_proj)
    )

    def total(row, state):
        from_x = sum(a * b for a, b in zip(w_x[row], x, strict=True)) + b_x[row]
        return from_x + sum(a * b for a, b in zip(w_h[row], state, strict=True)) + b_h[row]

    reset = [sigmoid(total(j, h)) for j in range(d)]
    update = [sigmoid(total(d + j, h)) for j in range(d)]
    kept = [r * value for r, value in zip(reset, h, strict=True)]
    candidate = [math.tanh(total(2 * d + j, kept)) for j in range(d)]
    return [z * a + (1 - z) * b for z, a, b in zip(update, h, candidate, strict=True)]


def same_weights(first, second):
    second.load_state_dict(first.state_dict())
    return second


def test_the_published_gru_number_by_number():
    cell = ResetFirstGRUCell(3, 4).double()
    x, h = torch.randn(2, 3).double(), torch.randn(2, 4).double()
    expected = [published_gru(cell, *row) for row in zip(x.tolist(), h.tolist(), strict=True)]
    torch.testing.assert_close(cell(x, h), torch.tensor(expected).double())


def test_the_two_grus_differ_and_agree_where_reset_and_projection_commute():
    after = GRUCell(3, 5).double()
    before = same_weights(after, ResetFirstGRUCell(3, 5).double())
    x = torch.randn(2, 7, 3).double()
    assert not torch.allclose(unroll(after, x)[0], unroll(before, x)[0], atol=1e-3)
    with torch.no_grad():  # con W_h̃ diagonal y sin su sesgo, (R ⊙ h)W = R ⊙ (hW)
        for cell in (after, before):
            cell.hidden_proj.weight[10:] = torch.diag(after.hidden_proj.weight[10:].diagonal())
            cell.hidden_proj.bias[10:] = 0
    torch.testing.assert_close(unroll(after, x)[0], unroll(before, x)[0])


def test_the_other_convention_of_z_is_the_same_gru_with_its_sign_changed():
    cell = GRUCell(3, 4).double()
    x, h = torch.randn(2, 3).double(), torch.randn(2, 4).double()
    expected = cell(x, h)
    flipped = same_weights(cell, GRUCell(3, 4).double())
    with torch.no_grad():
        for projection in (flipped.input_proj, flipped.hidden_proj):
            projection.weight[4:8] *= -1
            projection.bias[4:8] *= -1
    # Chung et al. y Bahdanau et al.: h = (1 − Z) ⊙ h + Z ⊙ h̃
    update = torch.sigmoid(flipped.input_proj(x) + flipped.hidden_proj(h)).chunk(3, -1)[1]
    x_new, h_new = flipped.input_proj(x).chunk(3, -1)[2], flipped.hidden_proj(h).chunk(3, -1)[2]
    reset = torch.sigmoid(flipped.input_proj(x) + flipped.hidden_proj(h)).chunk(3, -1)[0]
    theirs = (1 - update) * h + update * torch.tanh(x_new + reset * h_new)
    torch.testing.assert_close(theirs, expected)


@pytest.mark.parametrize("cell_class", [LSTMCell, GRUCell])
def test_gates_are_those_with_which_the_cell_updates(cell_class):
    cell, x = cell_class(3, 4).double(), torch.randn(2, 6, 3).double()
    opened = gate_values(cell, x)
    states = [cell.initial_state(x)]
    for x_t in x.unbind(1):
        states.append(cell(x_t, states[-1]))
    for t, (before, after) in enumerate(zip(states, states[1:], strict=False)):
        now = {name: value[:, t] for name, value in opened.items()}
        if cell_class is LSTMCell:
            candidate = (cell.input_proj(x[:, t]) + cell.hidden_proj(before[0])).chunk(4, -1)[2]
            c = now["forget"] * before[1] + now["input"] * candidate.tanh()
            torch.testing.assert_close(after[1], c)
            torch.testing.assert_close(after[0], now["output"] * c.tanh())
        else:
            x_new = cell.input_proj(x[:, t]).chunk(3, -1)[2]
            h_new = cell.hidden_proj(before).chunk(3, -1)[2]
            candidate = torch.tanh(x_new + now["reset"] * h_new)
            kept = now["update"] * before + (1 - now["update"]) * candidate
            torch.testing.assert_close(after, kept)


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_copied_cell_reads_like_the_network(kind):
    rnn = kind(3, 4, batch_first=True).double()
    x = torch.randn(2, 6, 3).double()
    torch.testing.assert_close(unroll(copy_cell(rnn), x)[0], rnn(x)[0])


@pytest.mark.parametrize(("kind", "gate"), [(nn.LSTM, "forget"), (nn.GRU, "update")])
def test_the_gate_that_keeps_starts_where_it_is_told(kind, gate):
    rnn = kind(2, 5, batch_first=True)
    with torch.no_grad():  # sin entrada ni estado, solo queda el sesgo
        rnn.weight_ih_l0.zero_()
        rnn.weight_hh_l0.zero_()
    others = {n: v for n, v in gate_values(copy_cell(rnn), torch.zeros(1, 1, 2)).items()}
    init_memory(rnn, 1.0)
    opened = gate_values(copy_cell(rnn), torch.zeros(1, 1, 2))
    torch.testing.assert_close(opened[gate], torch.full((1, 1, 5), sigmoid(1.0)))
    for name in opened.keys() - {gate}:
        assert torch.equal(opened[name], others[name])


def test_balance_writes_as_little_as_it_forgets():
    rnn, keep = nn.LSTM(2, 6, batch_first=True), memory_biases(6, 50)
    with torch.no_grad():
        rnn.weight_ih_l0.zero_()
        rnn.weight_hh_l0.zero_()
    init_memory(rnn, keep, balance=True)
    opened = gate_values(copy_cell(rnn), torch.zeros(1, 1, 2))
    torch.testing.assert_close(opened["input"], 1 - opened["forget"])


def test_memories_last_between_one_step_and_the_longest():
    torch.manual_seed(0)
    span = 1 / (1 - torch.sigmoid(memory_biases(10_000, 100)))  # = 1 + u
    assert 2 <= span.min() < 3 and 98 < span.max() <= 100
    assert float(span.mean()) == pytest.approx(51, abs=1.5)


@pytest.mark.usefixtures("sin_tipos")
def test_networks_without_gates_are_refused():
    with pytest.raises(TypeError, match="RNNCell no tiene compuertas: usa LSTMCell o GRUCell"):
        gate_values(RNNCell(2, 3), torch.zeros(1, 2, 2))
    with pytest.raises(TypeError, match=r"RNN no tiene compuertas: usa nn\.LSTM o nn\.GRU"):
        init_memory(nn.RNN(2, 3), 1.0)


def test_too_short_a_memory_is_refused():
    with pytest.raises(ValueError, match="max_length=1: una memoria dura al menos 2 pasos"):
        memory_biases(4, 1)


def test_a_simple_network_with_relu_is_not_our_cell():
    with pytest.raises(TypeError, match="lleva tangente"):
        copy_cell(nn.RNN(2, 3, nonlinearity="relu"))
