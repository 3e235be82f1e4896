"""CTC: todos los caminos, uno a uno, con el blanco que sea."""

import itertools
import math

import pytest
import torch

from tfcourse.losses.ctc import ctc_loss


@pytest.mark.parametrize("blank", [0, 2])
def test_ctc_adds_every_path(blank):
    torch.manual_seed(0)
    logits = torch.randn(2, 4, 3, dtype=torch.float64)
    one, other = (symbol for symbol in range(3) if symbol != blank)
    wanted, losses = [[one, one], [other, one]], []
    for row, words in zip(logits.log_softmax(-1), wanted, strict=True):
        total = 0.0
        for path in itertools.product(range(3), repeat=4):
            if [s for s, _ in itertools.groupby(path) if s != blank] == words:
                total += math.exp(sum(float(row[t, s]) for t, s in enumerate(path)))
        losses.append(-math.log(total) / 2)
    found = ctc_loss(logits, torch.tensor(wanted), torch.tensor([2, 2]), blank)
    assert float(found) == pytest.approx(sum(losses) / 2)


def test_only_the_words_that_count_are_read():
    logits = torch.randn(2, 5, 4)
    padded = torch.tensor([[1, 3], [2, 2]])
    found = ctc_loss(logits, padded, torch.tensor([1, 1]), 0)
    torch.testing.assert_close(found, ctc_loss(logits, padded[:, :1], torch.tensor([1, 1]), 0))
