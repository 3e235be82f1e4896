"""El gradiente por el tiempo: contra diferencias finitas, contra W_hᵀ y contra PyTorch."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell, unroll
from tfcourse.layers.recurrent.gradients import (
    clip_by_norm,
    gradient_norms,
    growth_rate,
    power_method,
    spectral_radius,
    states_through_time,
    with_spectral_radius,
)


def test_a_linear_network_multiplies_by_its_matrix_at_each_step():
    cell = RNNCell(2, 6).double()
    with torch.no_grad():
        cell.input_proj.bias.zero_()
        cell.hidden_proj.bias.zero_()
    x, direction = torch.zeros(1, 8, 2).double(), torch.randn(6).double()
    (norms,) = gradient_norms(cell, x, lambda h: (h @ direction).sum())
    matrix = cell.hidden_proj.weight.T
    expected = [(torch.linalg.matrix_power(matrix, k) @ direction).norm() for k in range(8)]
    torch.testing.assert_close(norms, torch.stack(expected[::-1]))


def moved_state(state, which, index, step):
    """El estado con un número movido; si es de la memoria c, h = o ⊙ tanh(c) se mueve con él."""
    if not isinstance(state, tuple):
        state = (state,)
    h, c = (state[0].detach().clone(), state[-1].detach().clone())
    if which == 0:
        h.view(-1)[index] += step
    else:
        c.view(-1)[index] += step
        h = h / state[1].detach().tanh() * c.tanh()
    return (h, c) if len(state) == 2 else h


@torch.no_grad()
def loss_from(cell, x, state):
    """Suma del último estado si se sigue leyendo `x` desde `state`."""
    for x_t in x.unbind(1):
        state = cell(x_t, state)
    return float((state[0] if isinstance(state, tuple) else state).sum())


@pytest.mark.parametrize("cell_class", [RNNCell, GRUCell, LSTMCell])
def test_gradients_are_those_of_finite_differences(cell_class):
    cell, x, step = cell_class(2, 3).double(), torch.randn(2, 5, 2).double(), 1e-6
    norms = gradient_norms(cell, x, lambda h: h.sum())
    assert len(norms) == (2 if cell_class is LSTMCell else 1)
    states = states_through_time(cell, x)
    for t in range(5):
        for which, norm in enumerate(norms):
            squares = 0.0
            for index in range(6):
                up, down = (
                    loss_from(cell, x[:, t + 1 :], moved_state(states[t], which, index, sign))
                    for sign in (step, -step)
                )
                squares += ((up - down) / (2 * step)) ** 2
            assert float(norm[t]) == pytest.approx(math.sqrt(squares), rel=1e-5)


@pytest.mark.parametrize("cell_class", [RNNCell, GRUCell, LSTMCell])
def test_linked_states_are_those_of_unrolling(cell_class):
    cell, x = cell_class(2, 3).double(), torch.randn(2, 5, 2).double()
    states = states_through_time(cell, x)
    hidden = [s[0] if isinstance(s, tuple) else s for s in states]
    torch.testing.assert_close(torch.stack(hidden, 1), unroll(cell, x)[0])


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.floats(0.1, 3.0), st.integers(0, 1000))
def test_radius_asked_is_radius_given(d, radius, seed):
    matrix = torch.randn(d, d, generator=torch.Generator().manual_seed(seed)).double()
    scaled = with_spectral_radius(matrix, radius)
    assert spectral_radius(scaled) == pytest.approx(radius, rel=1e-9)
    torch.testing.assert_close(scaled / scaled[0, 0], matrix / matrix[0, 0])


def test_power_method_finds_the_dominant_eigenvector():
    torch.manual_seed(0)
    basis = torch.linalg.qr(torch.randn(6, 6).double()).Q
    matrix = basis @ torch.diag(torch.tensor([-1.3, 0.9, 0.5, -0.2, 0.1, 0.0]).double()) @ basis.T
    stretches, direction = power_method(matrix, torch.randn(6).double(), 120)
    assert float(stretches[-1]) == pytest.approx(spectral_radius(matrix)) == pytest.approx(1.3)
    assert abs(float(direction @ basis[:, 0])) == pytest.approx(1.0)


def test_growth_rate_of_a_known_series():
    assert growth_rate([2.0 * 1.1**t for t in range(30)]) == pytest.approx(1.1)
    assert growth_rate(torch.tensor([8.0, 1.0, 2.0])) == pytest.approx(0.5)


def with_gradients(*values):
    parameters = [torch.nn.Parameter(torch.zeros(len(value))) for value in values]
    for parameter, value in zip(parameters, values, strict=True):
        parameter.grad = torch.tensor(value)
    return parameters


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=5),
    st.lists(st.floats(-100, 100), min_size=1, max_size=5),
    st.floats(0.01, 50),
)
def test_clipping_is_that_of_torch(first, second, limit):
    ours, theirs = with_gradients(first, second), with_gradients(first, second)
    norm = clip_by_norm(ours, limit)
    expected = torch.nn.utils.clip_grad_norm_(theirs, limit)
    assert norm == pytest.approx(float(expected), rel=1e-5)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a.grad, b.grad, rtol=1e-4, atol=1e-6)


def test_clipping_leaves_small_gradients_and_frozen_parameters_alone():
    parameters = [*with_gradients([0.3, -0.4]), torch.nn.Parameter(torch.ones(2))]
    assert clip_by_norm(parameters, 1.0) == pytest.approx(0.5)
    assert torch.equal(parameters[0].grad, torch.tensor([0.3, -0.4]))
    assert parameters[1].grad is None


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="max_norm=0: la norma máxima tiene que ser positiva"):
        clip_by_norm([], 0)
    with pytest.raises(ValueError, match="radio espectral 0 y ningún factor lo cambia"):
        with_spectral_radius(torch.zeros(3, 3), 1.0)
    with pytest.raises(ValueError, match="si se han anulado, usa float64 o menos pasos"):
        growth_rate([0.0, 1.0])
    with pytest.raises(ValueError, match="no hay ritmo que medir en 1 normas"):
        growth_rate([1.0])
