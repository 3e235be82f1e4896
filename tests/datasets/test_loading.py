"""Leer en paralelo: los mismos lotes con cualquier número de procesos, y se puede seguir."""

from itertools import islice

import pytest
import torch

from tfcourse.datasets.folders.loading import EndlessLoader, default_workers
from tfcourse.training.batches import after


class Noisy(torch.utils.data.Dataset):
    """Ejemplos con azar: lo que valdría un recorte."""

    def __len__(self):
        return 10

    def __getitem__(self, row):
        return row, torch.rand(())


def read(first=0, count=8, seed=3, workers=0):
    stream = after(EndlessLoader(Noisy(), 4, seed=seed, workers=workers), first)
    return [(rows.tolist(), noise.tolist()) for rows, noise in islice(stream, count)]


def test_it_does_not_matter_how_many_read():
    assert read(workers=0) == read(workers=2)


def test_going_on_gives_what_was_left():
    whole = read(count=8)
    for first in (1, 2, 5):
        assert read(first, 8 - first) == whole[first:]


def test_each_lap_has_another_order_and_its_own_noise():
    batches = read(count=6)
    laps = [sum((rows for rows, _ in batches[i : i + 2]), []) for i in (0, 2, 4)]
    assert all(len(set(lap)) == 8 for lap in laps) and laps[0] != laps[1] != laps[2]
    noise = [value for _, values in batches for value in values]
    assert len(set(noise)) == len(noise) and read(seed=4) != read(seed=3)


def test_a_batch_of_tuples_is_a_tuple_of_tensors():
    batch = next(EndlessLoader(Noisy(), 4, seed=0, workers=0).after(0))
    assert isinstance(batch, tuple) and [tuple(x.shape) for x in batch] == [(4,), (4,)]


def test_the_randomness_of_the_rest_is_left_alone():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    read()
    assert torch.equal(torch.rand(3), expected)


def test_errors(monkeypatch):
    with pytest.raises(ValueError, match="hay 10 ejemplos y el lote pide 11"):
        EndlessLoader(Noisy(), 11, seed=0)
    monkeypatch.setenv("TFCOURSE_LECTORES", "dos")
    with pytest.raises(ValueError, match="TFCOURSE_LECTORES='dos' no vale"):
        default_workers()
    monkeypatch.setenv("TFCOURSE_LECTORES", "3")
    assert default_workers() == 3
