"""Secuencias del revés: la salida es la entrada leída desde el final."""

import math

import pytest
import torch

from tfcourse.datasets.puzzles.reversal import (
    FIRST_SYMBOL,
    blind_reversal_loss,
    reversal_batch,
    reversal_batches,
)
from tfcourse.tokenizers.vocabulary import Vocabulary


def generator():
    return torch.Generator().manual_seed(0)


def test_target_is_the_source_backwards():
    source, lengths, target = reversal_batch(50, 6, 8, torch.Generator().manual_seed(0))
    assert lengths.eq(6).all() and target.shape == (50, 8)
    for read, written in zip(source.tolist(), target.tolist(), strict=True):
        assert written == [Vocabulary.start_id, *reversed(read), Vocabulary.stop_id]
    assert source.min() == FIRST_SYMBOL and source.max() == FIRST_SYMBOL + 7


def test_batches_depend_only_on_the_seed_and_are_all_new():
    one, same, other = (reversal_batches(4, 6, 8, seed) for seed in (1, 1, 2))
    first = next(one)[0]
    assert first.equal(next(same)[0]) and not first.equal(next(other)[0])
    assert not first.equal(next(one)[0])


def test_blind_loss_is_that_of_the_frequencies():
    _, _, target = reversal_batch(20_000, 4, 8, torch.Generator().manual_seed(0))
    guessed = target[:, 1:]
    loss = 0.0
    for place in range(guessed.shape[1]):
        shares = torch.bincount(guessed[:, place]) / len(guessed)
        loss -= float((shares * shares.clamp(min=1e-12).log()).sum())
    assert loss / guessed.shape[1] == pytest.approx(blind_reversal_loss(4, 8), abs=1e-3)
    assert blind_reversal_loss(4, 8) == pytest.approx(4 * math.log(8) / 5)


def test_reserved_sequences_are_never_seen():
    train = {tuple(row) for row in reversal_batch(5000, 3, 4, generator())[0].tolist()}
    reserved = {tuple(row) for row in reversal_batch(5000, 3, 4, generator(), True)[0].tolist()}
    assert not train & reserved
    assert len(reserved) == 4**2 and len(train) == 4**3 - 4**2


@pytest.mark.parametrize("sizes", [(4, 0, 8), (0, 4, 8), (4, 4, 1)])
def test_errors(sizes):
    with pytest.raises(ValueError, match=f"length={sizes[1]}.*dos símbolos o más"):
        reversal_batch(*sizes, generator())
