"""Los lotes de datos que ya están en el acelerador son los mismos que en la CPU."""

import pytest
import torch

from tests.accelerator.pretend import accelerator_device
from tfcourse.datasets.batching import minibatches, trim
from tfcourse.datasets.sequences import SequencePairs
from tfcourse.datasets.windows import random_windows, sliding_windows


@pytest.fixture
def d():
    return accelerator_device()


def pairs() -> SequencePairs:
    """Parejas de longitudes muy distintas."""
    lengths = torch.arange(1, 41)
    source = (torch.arange(40) < lengths[:, None]) * lengths[:, None]
    return SequencePairs(source, lengths, source.flip(0))


@pytest.mark.parametrize("similar", [False, True])
def test_pairs_come_in_the_same_order(d, similar):
    options = {"batch_size": 4, "seed": 3, "similar_lengths": similar}
    here, there = pairs().batches(**options), pairs().to(d).batches(**options)
    for _ in range(25):  # más de una vuelta
        wanted, found = next(here), next(there)
        assert {tensor.device.type for tensor in found} == {d.type}
        for a, b in zip(wanted, found, strict=True):
            assert torch.equal(a, b.cpu())


def test_examples_stay_where_they_are(d):
    (rows,) = next(minibatches(torch.arange(8, device=d), batch_size=4))
    assert trim(rows[None] * 0, pad_id=0).device.type == rows.device.type == d.type


def test_windows_stay_where_the_text_is(d):
    ids = torch.arange(50)
    for make in (
        lambda x: next(random_windows(x, batch_size=3, length=8, seed=1)),
        lambda x: sliding_windows(x, length=8, stride=4),
    ):
        for here, there in zip(make(ids), make(ids.to(d)), strict=True):
            assert there.device.type == d.type and torch.equal(here, there.cpu())
