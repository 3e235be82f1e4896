"""Tramos tapados y distractores: cuántos, dónde y cuáles no."""

import pytest
import torch

from tfcourse.datasets.sounds.wave_masking import masked_spans, sample_distractors


def drawn(seed=0):
    return torch.Generator().manual_seed(seed)


def test_the_share_is_the_one_of_overlapping_spans():
    hidden = masked_spans(4000, 60, 0.1, 5, drawn())
    # Lejos de los bordes, una posición queda a la vista si no empieza ninguno de los cinco tramos.
    middle = hidden[:, 10:50].float().mean()
    assert abs(float(middle) - (1 - 0.9**5)) < 0.01


def test_every_row_has_a_whole_span():
    for row in masked_spans(300, 12, 0.001, 4, drawn(1)).int().tolist():
        runs = [run for run in "".join(map(str, row)).split("0") if run]
        assert runs and all(len(run) >= 4 for run in runs)


def test_spans_reach_both_ends_and_the_spare_one_can_be_anywhere():
    for share in (0.001, 0.2):  # casi siempre, el de reserva; casi siempre, los sorteados
        starts = masked_spans(400, 12, share, 4, drawn(1)).int().argmax(dim=1)
        ends = 11 - masked_spans(400, 12, share, 4, drawn(1)).flip(1).int().argmax(dim=1)
        assert set(starts.tolist()) == set(range(9)) and set(ends.tolist()) == set(range(3, 12))


def test_distractors_are_other_hidden_places_of_the_row_all_alike():
    hidden = masked_spans(3, 20, 0.1, 4, drawn(2))
    found = sample_distractors(hidden, 4000, drawn())
    for row in range(3):
        places = set(hidden[row].nonzero()[:, 0].tolist())
        for place in range(20):
            if place not in places:
                assert not found[row, place].any()
                continue
            counts = found[row, place].bincount(minlength=20)
            assert set(counts.nonzero()[:, 0].tolist()) == places - {place}
            even = 4000 / (len(places) - 1)
            assert (counts[list(places - {place})] - even).abs().max() < 6 * even**0.5


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="span=9 y length=8"):
        masked_spans(1, 8, 0.1, 9, drawn())
    with pytest.raises(ValueError, match="la fila 1 tiene 1 posiciones tapadas"):
        sample_distractors(torch.tensor([[True, True], [True, False]]), 3, drawn())
