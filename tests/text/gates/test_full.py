"""El problema de la suma: el error se mide con todas las secuencias, y el trivial es el que es."""

import pytest
import torch

from tfcourse.datasets.puzzles.adding import adding_examples
from tfcourse.text.gates import full


class Always(torch.nn.Module):
    """Responde siempre lo mismo."""

    def __init__(self, answer):
        super().__init__()
        self.answer = torch.nn.Parameter(torch.tensor(answer))

    def forward(self, x):
        return self.answer.expand(len(x), 1)


def test_error_by_hand(monkeypatch):
    monkeypatch.setattr(full, "TEST_BATCH", 2)  # tres ejemplos: el último lote es menor
    test = torch.zeros(3, 4, 2), torch.tensor([[1.0], [2.0], [0.0]])
    assert full.error(Always(1.0), test) == pytest.approx(2 / 3)


def test_the_trivial_one_is_the_first_row_and_is_measured(monkeypatch, tmp_path):
    monkeypatch.setattr(full, "train_one", lambda *_: Always(1.0))
    rows = full.measure(full.REHEARSAL, tmp_path)
    generator = torch.Generator().manual_seed(full.TEST_SEED)
    _, y = adding_examples(full.REHEARSAL.n_test, full.REHEARSAL.length, generator)
    assert rows[0]["error"] == pytest.approx(float((y - 1).square().mean()))
    assert all(row["parte del trivial"] == pytest.approx(1) for row in rows)
