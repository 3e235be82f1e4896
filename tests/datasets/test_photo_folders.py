"""Lo que comparten los lectores de fotos: la lista compacta, el orden al evaluar y los lotes."""

import pickle

import pytest
import torch
from torch.utils.data import Dataset

from tfcourse.datasets.folders.photo_folders import Packed, photos_in_order, together

ITEMS = [{"a": [1, 2]}, [], "ñ", None, {"caja": [0.5, 1.25]}]


def test_a_packed_list_gives_back_what_was_put_in():
    packed = Packed(iter(ITEMS))
    assert len(packed) == len(ITEMS) and list(packed) == ITEMS
    assert list(pickle.loads(pickle.dumps(packed))) == ITEMS
    assert len(Packed([])) == 0
    for outside in (len(ITEMS), -1):
        with pytest.raises(IndexError):
            packed[outside]


class Numbered(Dataset):
    """Cinco fotos que solo dicen su número."""

    def __len__(self):
        return 5

    def __getitem__(self, number):
        return torch.full((3, 2, 2), float(number)), "notas"


@pytest.mark.parametrize("workers", ["0", "2"])
def test_to_evaluate_photos_come_once_and_in_order(monkeypatch, workers):
    monkeypatch.setenv("TFCOURSE_LECTORES", workers)
    before = torch.get_rng_state()
    found = list(photos_in_order(Numbered(), 2))
    assert [len(part) for part in found] == [2, 2, 1]
    assert torch.cat(found)[:, 0, 0, 0].tolist() == [0, 1, 2, 3, 4]
    assert torch.equal(torch.get_rng_state(), before), "evaluar no gasta el azar de entrenar"


def test_tuples_are_put_together_part_by_part():
    rows = [(torch.full((2,), n), torch.tensor(n)) for n in (1, 2)]
    first, second = together(rows)
    assert first.tolist() == [[1, 1], [2, 2]] and second.tolist() == [1, 2]
