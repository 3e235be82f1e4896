"""Ley μ: la fórmula, la vuelta, las casillas y lo que se sale."""

import math

import pytest
import torch

from tfcourse.tokenizers.mu_law import N_BINS, from_bins, inverse_mu_law, mu_law, to_bins


def test_values_by_hand():
    """Con μ = 1 y M = 3: F(x) = ln(|x| + 1) / ln 4."""
    x = torch.tensor([0.0, 1.0, 3.0, -1.0], dtype=torch.float64)
    expected = torch.tensor([0.0, 0.5, 1.0, -0.5], dtype=torch.float64)
    torch.testing.assert_close(mu_law(x, mu=1.0, span=3.0), expected)


def test_same_as_the_formula_of_the_paper():
    for x in (-300.0, -2.4, -0.01, 0.0, 0.3, 8.0, 256.0):
        expected = math.copysign(math.log(100 * abs(x) + 1) / math.log(100 * 256 + 1), x)
        assert float(mu_law(torch.tensor(x, dtype=torch.float64))) == pytest.approx(expected)


def test_going_and_coming_back():
    x = torch.linspace(-256, 256, 1001, dtype=torch.float64)
    torch.testing.assert_close(inverse_mu_law(mu_law(x)), x)
    assert float(mu_law(x).abs().max()) == pytest.approx(1.0)
    assert bool((mu_law(x).diff() > 0).all())


def test_bins_are_equal_and_the_border_is_inside():
    assert to_bins(torch.tensor([-1.0, -0.5, 0.0, 0.499, 1.0]), 4).tolist() == [0, 1, 2, 2, 3]
    assert to_bins(torch.tensor([-7.0, 7.0])).tolist() == [0, N_BINS - 1]


def test_each_bin_is_the_one_of_its_center():
    bins = torch.arange(N_BINS)
    assert torch.equal(to_bins(from_bins(bins)), bins)
    y = torch.linspace(-1, 1, 999)
    assert float((from_bins(to_bins(y)) - y).abs().max()) <= 1 / N_BINS + 1e-6


def test_small_numbers_get_more_detail_than_large_ones():
    """El mismo paso, de una décima, recorre más casillas cerca del cero."""
    near, far = torch.tensor([0.0, 0.1]), torch.tensor([8.0, 8.1])
    assert int(to_bins(mu_law(near)).diff()) > 50 * int(to_bins(mu_law(far)).diff())


def test_errors_in_spanish():
    with pytest.raises(ValueError, match="al menos dos casillas"):
        to_bins(torch.zeros(1), 1)
    with pytest.raises(ValueError, match="restar dónde empiezan"):
        from_bins(torch.tensor([N_BINS]))
