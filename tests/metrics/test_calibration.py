"""Calibración: contra un cálculo con bucles y con modelos de los que se sabe la respuesta."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.metrics.calibration import confidence_and_hits, reliability


def by_loops(confidence, correct, n_bins):
    error = 0.0
    for k in range(n_bins):
        low, high = k / n_bins, (k + 1) / n_bins
        inside = [i for i, c in enumerate(confidence) if low <= c < high or (c == 1 == high)]
        if inside:
            hits = sum(correct[i] for i in inside) / len(inside)
            sure = sum(confidence[i] for i in inside) / len(inside)
            error += len(inside) / len(confidence) * abs(hits - sure)
    return error


@given(st.lists(st.tuples(st.integers(0, 64), st.booleans()), min_size=1, max_size=60))
def test_equals_loops(pairs):
    confidence = [c / 64 for c, _ in pairs]
    correct = [hit for _, hit in pairs]
    found = reliability(torch.tensor(confidence), torch.tensor(correct), n_bins=8)
    assert found.error == pytest.approx(by_loops(confidence, correct, 8), abs=1e-6)
    assert found.counts.sum() == len(pairs)


def test_an_honest_model_has_no_error():
    g = torch.Generator().manual_seed(0)
    confidence = torch.rand(200_000, generator=g)
    correct = torch.rand(200_000, generator=g) < confidence
    assert reliability(confidence, correct).error < 0.01


def test_an_overconfident_model_has_the_gap():
    correct = torch.arange(100) < 70
    assert reliability(torch.full((100,), 0.95), correct).error == pytest.approx(0.25, abs=1e-6)


def test_confidence_skips_padding():
    logits = torch.tensor([[[0.0, 2.0, 0.0], [5.0, 0.0, 0.0]], [[0.0, 0.0, 1.0], [9.0, 0.0, 0.0]]])
    target = torch.tensor([[1, 0], [1, 0]])
    confidence, hits = confidence_and_hits(logits, target, pad_id=0)
    torch.testing.assert_close(confidence, logits[:, 0].softmax(-1).amax(-1))
    assert hits.tolist() == [True, False]


@pytest.mark.parametrize("values", [[], [0.5, 1.2], [-0.1]])
def test_errors(values):
    with pytest.raises(ValueError, match="hace falta al menos una, y todas entre 0 y 1"):
        reliability(torch.tensor(values), torch.zeros(len(values), dtype=torch.bool))
