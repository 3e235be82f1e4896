"""Copiar del contexto: las secuencias se repiten, y lo que se mide es cada vuelta."""

import math

import pytest
import torch
from torch import nn

from tfcourse.text.generation.in_context import (
    CopyRecipe,
    CopyTask,
    batches,
    bits_by_turn,
    repeated_segments,
    train_copier,
)


def test_every_sequence_repeats_a_segment_of_its_own():
    task = CopyTask(n_tokens=9, periods=(3, 5), length=16)
    tokens = repeated_segments(task, 200, torch.Generator().manual_seed(0))
    found = set()
    for row in tokens.tolist():
        period = next(p for p in range(1, 16) if row[p:] == row[:-p])
        assert len(set(row[:period])) == period  # símbolos distintos: nada es ambiguo
        found.add(period)
    assert found == {3, 5} and len({tuple(row) for row in tokens.tolist()}) > 150
    one, other = (next(batches(task, 4, seed))[0] for seed in (0, 1))
    assert torch.equal(one, next(batches(task, 4, 0))[0]) and not torch.equal(one, other)


class Copier(nn.Module):
    """Sabe la longitud: pone `sharpness` en lo que salió una vuelta antes."""

    def __init__(self, task, period, sharpness):
        super().__init__()
        self.task, self.period, self.sharpness = task, period, sharpness

    def forward(self, tokens):
        logits = torch.zeros(*tokens.shape, self.task.n_tokens)
        back = self.period - 1
        logits[:, back:].scatter_(2, tokens[:, : tokens.shape[1] - back, None], self.sharpness)
        return logits


def test_each_turn_is_measured_apart():
    """A ciegas, log₂ del alfabeto; quien copia, casi nada desde la segunda vuelta, y no antes."""
    task = CopyTask()
    bits = bits_by_turn(Copier(task, 8, 50.0), task, 8)
    assert bits[0] == pytest.approx(math.log2(task.n_tokens), abs=1e-5)
    assert len(bits) == 4 and max(bits[1:]) < 1e-6
    short = bits_by_turn(Copier(task, 5, 50.0), task, 5)
    assert short[0] == pytest.approx(math.log2(task.n_tokens), abs=1e-5) and max(short[1:]) < 1e-6


def test_a_copier_is_trained():
    task = CopyTask(n_tokens=4, periods=(2,), length=9)
    recipe = CopyRecipe(n_layers=1, d_model=16, batch_size=8, steps=30)
    model = train_copier(recipe, task, seed=0)
    first, second, *_ = bits_by_turn(model, task, 2)
    assert second < first and not model.training


def test_segments_have_to_fit():
    for wrong in ({"periods": (17,)}, {"periods": ()}, {"length": 12}):
        with pytest.raises(ValueError, match="cada segmento, de símbolos distintos, ha de caber"):
            CopyTask(**wrong)
