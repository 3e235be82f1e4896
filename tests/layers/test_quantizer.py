"""Cuantizador por producto: el sorteo de Gumbel, la perplejidad y lo que elige."""

import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.layers.sound.quantizer import ProductQuantizer, gumbel_softmax, perplexity


def test_the_draw_is_the_one_of_torch_with_the_same_randomness():
    logits = torch.randn(6, 5, dtype=torch.float64, requires_grad=True)
    torch.manual_seed(3)
    ours = gumbel_softmax(logits, 0.7)
    (own,) = torch.autograd.grad((ours * torch.arange(5)).sum(), logits)
    torch.manual_seed(3)
    theirs = F.gumbel_softmax(logits, tau=0.7, hard=True)
    (wanted,) = torch.autograd.grad((theirs * torch.arange(5)).sum(), logits)
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(own, wanted)


def test_each_entry_comes_out_with_its_softmax_probability():
    torch.manual_seed(0)
    logits = torch.tensor([0.0, 1.0, -1.0, 2.0])
    draws = gumbel_softmax(logits.expand(20_000, 4), 1.3).mean(dim=0)
    torch.testing.assert_close(draws, logits.softmax(-1), atol=0.015, rtol=0)


def test_perplexity_counts_the_entries_in_use():
    shares = torch.tensor([[0.25] * 4, [0.5, 0.5, 0, 0], [1.0, 0, 0, 0], [0.7, 0.1, 0.1, 0.1]])
    uneven = math.exp(-(0.7 * math.log(0.7) + 0.3 * math.log(0.1)))
    torch.testing.assert_close(perplexity(shares), torch.tensor([4.0, 2.0, 1.0, uneven]))


def test_when_evaluating_it_concatenates_the_best_entry_of_each_table():
    torch.manual_seed(1)
    quantizer = ProductQuantizer(6, 4, n_groups=2, n_codes=3).eval()
    x = torch.randn(2, 5, 6)
    codes, _ = quantizer(x, torch.ones(2, 5, dtype=torch.bool))
    best = (x @ quantizer.scores.weight.T).view(2, 5, 2, 3).argmax(-1)
    for row in range(2):
        for place in range(5):
            pieces = [quantizer.codebook[g, best[row, place, g]] for g in range(2)]
            torch.testing.assert_close(codes[row, place], torch.cat(pieces))


def test_only_the_counted_positions_enter_the_perplexity():
    torch.manual_seed(1)
    quantizer = ProductQuantizer(6, 4, n_groups=2, n_codes=3)
    x, counted = torch.randn(1, 4, 6), torch.tensor([[True, False, True, False]])
    _, before = quantizer(x, counted)
    other = x.clone()
    other[0, [1, 3]] = torch.randn(2, 6)
    torch.testing.assert_close(quantizer(other, counted)[1], before)
    other[0, 0] += 1
    assert not torch.allclose(quantizer(other, counted)[1], before)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="d_code=5 no se reparte entre n_groups=2.*d_code=6"):
        ProductQuantizer(4, 5, 2, 3)
    with pytest.raises(ValueError, match="temperature=0"):
        gumbel_softmax(torch.zeros(2), 0)
