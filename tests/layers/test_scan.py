"""El barrido asociativo da lo mismo que el bucle, y la GRU mínima, lo mismo que su ecuación."""

import pytest
import torch

from tfcourse.layers.recurrent.scan import MinGRU, linear_recurrence


def by_loop(a, b):
    h, states = torch.zeros_like(b[:, 0]), []
    for a_t, b_t in zip(a.unbind(1), b.unbind(1), strict=True):
        h = a_t * h + b_t
        states.append(h)
    return torch.stack(states, dim=1)


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9, 100])
def test_the_scan_is_the_loop(length):
    generator = torch.Generator().manual_seed(length)
    both = torch.randn(2, 3, length, 5, generator=generator, dtype=torch.double).requires_grad_()
    expected, found = by_loop(*both), linear_recurrence(*both)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(
        torch.autograd.grad(found.square().sum(), both),
        torch.autograd.grad(expected.square().sum(), both),
    )


def test_a_gate_that_closes_forgets_everything_before():
    a, b = torch.full((1, 6, 1), 0.5), torch.ones(1, 6, 1)
    a[0, 3] = 0.0
    h = linear_recurrence(a, b)
    assert h[0, :, 0].tolist() == pytest.approx([1, 1.5, 1.75, 1, 1.5, 1.75])


def test_the_minimal_gru_follows_its_equation():
    torch.manual_seed(0)
    cell, x = MinGRU(3, 5).double(), torch.randn(2, 11, 3).double()
    weight, bias = cell.input_proj.weight, cell.input_proj.bias
    h, states = torch.zeros(2, 5).double(), []
    for x_t in x.unbind(1):
        keep = torch.sigmoid(x_t @ weight[:5].T + bias[:5])
        h = keep * h + (1 - keep) * (x_t @ weight[5:].T + bias[5:])
        states.append(h)
    torch.testing.assert_close(cell(x), torch.stack(states, dim=1))


def test_the_future_does_not_change_the_past():
    cell, x = MinGRU(3, 4), torch.randn(1, 9, 3)
    before = cell(x)
    x[:, 6:] += 1
    assert torch.equal(cell(x)[:, :6], before[:, :6])
