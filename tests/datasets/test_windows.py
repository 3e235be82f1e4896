"""Recorrer un texto por ventanas, al azar o solapadas."""

import pytest
import torch

from tfcourse.datasets.windows import random_windows, sliding_windows


@pytest.mark.parametrize("stride", [1, 3, 5])
@pytest.mark.parametrize("size", [6, 17, 40])
def test_every_token_but_the_first_counts_once_with_context(size, stride):
    inputs, targets, counted = sliding_windows(torch.arange(size), length=5, stride=stride)
    assert sorted(targets[counted].tolist()) == list(range(1, size))
    assert torch.equal(inputs + 1, targets)
    for row, fresh in zip(inputs[1:], counted[1:], strict=True):
        assert int(fresh.nonzero()[0]) >= 5 - stride or int(row[-1]) == size - 2


def test_random_windows_are_pieces_of_the_text_and_repeat_with_the_seed():
    ids = torch.arange(50)
    first, again, other = (
        next(random_windows(ids, batch_size=64, length=7, seed=seed))[0] for seed in (0, 0, 1)
    )
    assert torch.equal(first, again) and not torch.equal(first, other)
    assert first.shape == (64, 8) and bool((first.diff(dim=1) == 1).all())
    assert int(first.min()) == 0 and int(first.max()) == 49
    with pytest.raises(ValueError, match="tiene 7 tokens y una ventana necesita 8"):
        next(random_windows(ids[:7], batch_size=1, length=7, seed=0))
    with pytest.raises(ValueError, match="stride=6"):
        sliding_windows(ids, length=5, stride=6)
