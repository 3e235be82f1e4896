"""Medir lo escrito: aciertos enteros y en los huecos, bits por carácter y a dónde se mira."""

import pytest
import torch
from torch import nn

from tfcourse.losses import masked_loss
from tfcourse.metrics import (
    attended_mass,
    exact_match,
    masked_accuracy,
    masked_perplexity,
    window_bits,
)


class Uniform(nn.Module):
    def forward(self, tokens):
        return torch.zeros(*tokens.shape, 8)


def test_bits_are_shared_among_the_characters():
    ids = torch.randint(8, (101,), generator=torch.Generator().manual_seed(0))
    options = {"length": 10, "batch_size": 3}
    assert window_bits(Uniform(), ids, 100, **options) == pytest.approx(3.0)
    # Si cada token escribe dos caracteres, a cada carácter le toca la mitad.
    assert window_bits(Uniform(), ids, 200, stride=10, **options) == pytest.approx(1.5)
    assert window_bits(Uniform(), ids[:11], 1, length=10) == pytest.approx(30.0)  # con uno basta
    with pytest.raises(ValueError, match="n_characters=0"):
        window_bits(Uniform(), ids, 0, length=10)


class Knows(nn.Module):
    """Un modelo que acierta siempre, o nunca."""

    def __init__(self, answers, right):
        super().__init__()
        self.answers, self.right = answers, right
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, tokens, lengths, chosen):
        picked = self.answers[: len(tokens)][chosen]
        return nn.functional.one_hot(picked if self.right else (picked + 1) % 50, 50) * 9.0


def test_loss_and_accuracy_look_only_at_the_chosen():
    answers = torch.randint(7, 49, (5, 6))
    chosen = torch.zeros(5, 6, dtype=torch.bool)
    chosen[:, 2] = True
    masks = (torch.full_like(answers, 6), answers, chosen)
    assert masked_accuracy(Knows(answers, True), masks) == 1.0
    assert masked_accuracy(Knows(answers, False), masks) == 0.0
    assert float(masked_loss(Knows(answers, True), masks)) < 0.02
    assert float(masked_loss(Knows(answers, False), masks)) > 8
    with pytest.raises(ValueError, match="no hay ningún hueco"):
        masked_accuracy(Knows(answers, True), (answers, answers, ~chosen & chosen))


def test_perplexity_counts_equally_likely_tokens():
    answers = torch.randint(7, 49, (5, 6))
    chosen = torch.zeros(5, 6, dtype=torch.bool)
    chosen[0, :6] = chosen[4, 1] = True  # cada hueco cuenta lo mismo, esté en el lote que esté
    masks = (torch.full_like(answers, 6), answers, chosen)
    unsure = Knows(answers, True)
    unsure.forward = lambda tokens, lengths, where: torch.zeros(int(where.sum()), 50)
    assert masked_perplexity(unsure, masks, batch_size=2) == pytest.approx(50, rel=1e-5)
    assert masked_perplexity(Knows(answers, True), masks, 5) == pytest.approx(
        1 + 49 * torch.exp(torch.tensor(-9.0)).item(), rel=1e-4
    )
    with pytest.raises(ValueError, match="no hay ningún hueco"):
        masked_perplexity(unsure, (answers, answers, ~chosen & chosen))


def test_exact_match():
    assert exact_match([["a"], ["b"]], [["a"], ["c"]]) == 0.5
    with pytest.raises(ValueError, match="hay 1 predicciones y 0 respuestas"):
        exact_match(["a"], [])


def test_attended_mass_counts_only_rows_with_a_region():
    weights = torch.tensor([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])
    region = torch.tensor([[False, True], [False, False], [True, False]])
    assert attended_mass(weights, region) == pytest.approx(0.85)
    with pytest.raises(ValueError, match="la región está vacía"):
        attended_mass(weights, torch.zeros(3, 2, dtype=torch.bool))
