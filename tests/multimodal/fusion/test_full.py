"""La tabla de la fusión: el acierto de cada fila y las parejas de evaluar, siempre las mismas."""

import torch

from tfcourse.datasets.sounds.digit_pairs import DigitPairs, split_pools
from tfcourse.multimodal.fusion.full import ARRIVES, REHEARSAL, evaluation_pairs, row


def test_a_row_by_hand():
    labels = torch.tensor([0, 1, 1, 2])
    pairs = DigitPairs(torch.zeros(4, 1, 8, 8), torch.zeros(4, 10), labels, labels)
    right, never, first = torch.eye(3)[labels], torch.eye(3)[(labels + 1) % 3], torch.eye(3)[:1]
    found = row("prueba", 7, [right, never, first.expand(4, 3)], pairs)
    assert found == {"fusión": "prueba", "parámetros": 7} | dict(
        zip(ARRIVES, (1.0, 0.0, 0.25), strict=True)
    )


def test_the_pairs_to_measure_with_are_always_the_same():
    _, pools = split_pools()
    first, again = (evaluation_pairs(pools, REHEARSAL) for _ in range(2))
    assert len(first) == REHEARSAL.n_test and torch.equal(first.images, again.images)
    assert torch.equal(first.seen, first.heard) and torch.equal(first.waves, again.waves)
