"""Acumulación: el gradiente por partes es el del lote entero, en doble precisión."""

import pytest
import torch
from torch import nn

from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.training.accumulation import Accumulation, accumulate_gradients, count_targets


def batch():
    """Ocho parejas de longitudes muy distintas."""
    g = torch.Generator().manual_seed(0)
    lengths = torch.tensor([2, 2, 3, 3, 6, 7, 8, 8])
    source, target = (torch.randint(3, 9, (8, n), generator=g) for n in (8, 9))
    for row, length in enumerate(lengths):
        source[row, length:] = 0
        target[row, length + 1 :] = 0
    return source, lengths, target


def gradients(model):
    return torch.cat([p.grad.flatten() for p in model.parameters()])


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_parts_equal_the_whole(size):
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(9, 9, d_model=8, n_heads=2, n_layers=1)).double()
    whole = teacher_forcing_loss(model, batch())
    whole.backward()
    expected = gradients(model)
    model.zero_grad()
    parts = list(zip(*(tensor.split(size) for tensor in batch()), strict=True))
    loss = accumulate_gradients(
        model, parts, teacher_forcing_loss, [count_targets(part) for part in parts]
    )
    assert float(loss) == pytest.approx(float(whole.detach()), abs=1e-12)
    torch.testing.assert_close(gradients(model), expected, atol=1e-12, rtol=1e-12)


def test_targets_are_counted_without_start_or_padding():
    assert count_targets(batch()) == 2 + 2 + 3 + 3 + 6 + 7 + 8 + 8


def test_a_batch_is_split_in_turns():
    numbers = torch.arange(5)
    assert [part.tolist() for part in Accumulation(2).split(numbers)] == [[0, 2, 4], [1, 3]]
    assert [part.tolist() for part in Accumulation(1).split(numbers[:0])] == [[]]
    with pytest.raises(ValueError, match="un lote de 1 ejemplos no se lee en 2 partes"):
        Accumulation(2).split(numbers[:1])


@pytest.mark.parametrize("weights", [[], [1.0, 2.0], [0.0]])
def test_errors(weights):
    with pytest.raises(ValueError, match="hace falta uno por parte, y positivo"):
        accumulate_gradients(nn.Linear(1, 1), [()], lambda m, b: torch.tensor(0.0), weights)
