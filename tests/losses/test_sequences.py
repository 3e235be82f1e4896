"""Pérdidas de secuencias: la media sin relleno, y el suavizado contra PyTorch y su definición."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.losses import sequence_loss, smoothed_loss


def data():
    g = torch.Generator().manual_seed(0)
    logits = torch.randn(3, 5, 7, generator=g, dtype=torch.float64)
    target = torch.randint(1, 7, (3, 5), generator=g)
    target[1, 3:] = 0
    return logits, target


def test_sequence_loss_ignores_padding():
    logits = torch.randn(2, 3, 9, dtype=torch.float64)
    target = torch.tensor([[4, 5, 0], [6, 0, 0]])
    picked = [logits[0, 0].log_softmax(0)[4], logits[0, 1].log_softmax(0)[5]]
    picked.append(logits[1, 0].log_softmax(0)[6])
    torch.testing.assert_close(sequence_loss(logits, target), -torch.stack(picked).mean())


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_equals_torch(smoothing):
    logits, target = data()
    logits.requires_grad_()
    ours = smoothed_loss(logits, target, smoothing)
    theirs = F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=smoothing
    )
    torch.testing.assert_close(ours, theirs)
    (a,) = torch.autograd.grad(ours, logits)
    (b,) = torch.autograd.grad(theirs, logits)
    torch.testing.assert_close(a, b)


def test_without_smoothing_it_is_the_usual_loss():
    torch.testing.assert_close(smoothed_loss(*data(), smoothing=0.0), sequence_loss(*data()))


@given(st.floats(0, 0.9), st.integers(2, 9))
def test_is_the_cross_entropy_with_a_mixture(smoothing, n_symbols):
    logits = torch.linspace(-1, 2, n_symbols, dtype=torch.float64)
    mixture = torch.full((n_symbols,), smoothing / n_symbols, dtype=torch.float64)
    mixture[1] += 1 - smoothing
    expected = -sum(
        float(q) * float(p) for q, p in zip(mixture, logits.log_softmax(0), strict=True)
    )
    found = smoothed_loss(logits[None], torch.tensor([1]), smoothing)
    assert float(found) == pytest.approx(expected)


def test_the_best_answer_is_not_total_certainty():
    """El mínimo está en p = 1 − ε + ε/V, no en 1: el gradiente se anula allí."""
    smoothing, n_symbols = 0.1, 5
    best = torch.full((n_symbols,), smoothing / n_symbols, dtype=torch.float64)
    best[2] += 1 - smoothing
    logits = best.log().requires_grad_()
    smoothed_loss(logits[None], torch.tensor([2]), smoothing).backward()
    assert logits.grad.abs().max() < 1e-12
    assert math.isclose(float(best[2]), 0.92)


@pytest.mark.parametrize("smoothing", [-0.1, 1.0])
def test_errors(smoothing):
    with pytest.raises(ValueError, match="tiene que estar entre 0 y 1"):
        smoothed_loss(*data(), smoothing=smoothing)
