"""La validación cruzada de las historias: nadie se mide con quien ha aprendido de él."""

import pytest
import torch

from tests.multimodal.records.people import RECORDS
from tfcourse.multimodal.records.full import folds


def rows(records):
    """Cada historia, como una tupla, para compararlas."""
    return {tuple(tokens) for tokens in records.tokens.tolist()}


def test_every_person_is_measured_once_and_never_learnt_from():
    labels = RECORDS.labels.float()
    parts = list(folds(RECORDS, 5))
    assert sum(len(unseen.labels) for _, unseen in parts) == len(labels)
    for known, unseen in parts:
        assert len(known.labels) + len(unseen.labels) == len(labels)
        assert not rows(known) & rows(unseen)
        assert abs(float(unseen.labels.float().mean() - labels.mean())) < 0.03
    again = next(iter(folds(RECORDS, 5)))
    assert torch.equal(again[1].tokens, parts[0][1].tokens)


def test_too_few_cases_are_told():
    one = RECORDS._replace(
        labels=torch.zeros_like(RECORDS.labels).index_fill(0, torch.tensor([0]), 1)
    )
    with pytest.raises(ValueError, match="hay 1 casos y .* se piden 2 partes"):
        next(folds(one, 2))
