"""Texto corrido: alfabeto reducido, y ventanas que no pierden ni repiten un símbolo."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.datasets.text.streams import (
    OTHER,
    SPANISH_CHARACTERS,
    simplify_text,
    stream_windows,
    text_streams,
)


@pytest.mark.lento
@given(st.text())
def test_simplified_text_keeps_its_length_and_alphabet(text):
    simple = simplify_text(text)
    assert len(simple) == len(text) and set(simple) <= set(SPANISH_CHARACTERS)
    assert simplify_text(simple) == simple


def test_spanish_is_left_alone_and_marks_fall():
    spanish = "¿Cuánto pingüino añil? ¡3,5 kg!"
    assert simplify_text(spanish) == spanish
    assert simplify_text("Sūn Yìxiān 孫") == f"Sun Yixian {OTHER}"
    assert len(set(SPANISH_CHARACTERS)) == len(SPANISH_CHARACTERS)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(2, 40), st.integers(1, 15))
def test_one_pass_reads_everything_once(rows, length, window):
    ids = torch.arange(rows * length)
    seen = list(stream_windows(ids, batch_size=rows, window=window, repeat=False))
    inputs, targets = (torch.cat([batch[i] for batch in seen], dim=1) for i in (0, 1))
    assert torch.equal(inputs, ids.view(rows, length)[:, :-1])
    assert torch.equal(targets, inputs + 1)
    assert [bool(batch[2].all()) for batch in seen] == [True] + [False] * (len(seen) - 1)


def test_endless_windows_have_one_size_and_say_when_they_restart():
    windows = stream_windows(torch.arange(22), batch_size=2, window=4)
    seen = list(itertools.islice(windows, 5))
    assert {tuple(inputs.shape) for inputs, _, _ in seen} == {(2, 4)}
    assert [fresh.tolist() for _, _, fresh in seen] == [[f, f] for f in (1, 0, 1, 0, 1)]
    assert torch.equal(seen[0][0], seen[2][0])


def test_with_restart_all_the_strips_begin_again_every_so_many_windows():
    """También cuando la vuelta al texto no es múltiplo: se cuenta desde el principio del todo."""
    windows = stream_windows(torch.arange(26), batch_size=2, window=4, restart=2)
    begins = [bool(fresh.all()) for _, _, fresh in itertools.islice(windows, 8)]
    assert begins == [True, False, True, True, True, False, True, False]


def test_impossible_streams_are_refused():
    with pytest.raises(ValueError, match="usa menos tiras o un texto más largo"):
        text_streams(torch.arange(5), 3)
    with pytest.raises(ValueError, match="lee al menos un símbolo"):
        stream_windows(torch.arange(50), batch_size=2, window=0)
    with pytest.raises(ValueError, match="restart=0"):
        stream_windows(torch.arange(50), batch_size=2, window=4, restart=0)
