"""Corrupción de tramos: lo tapado más lo pedido es siempre el texto de partida."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.datasets.text.spans import SHARE, corrupt, random_spans, restore, sentinel

MARKS = list(range(1_000, 1_200))
texts = st.lists(st.integers(4, 50), min_size=2, max_size=120)


def hide(tokens, seed, share=SHARE, mean_span=3.0):
    generator = torch.Generator().manual_seed(seed)
    return random_spans(len(tokens), generator, share, mean_span)


@given(texts, st.integers(0, 10_000), st.floats(0.05, 0.95), st.floats(1, 6))
def test_there_and_back(tokens, seed, share, mean_span):
    source, target = corrupt(tokens, hide(tokens, seed, share, mean_span), MARKS)
    assert restore(source, target, MARKS) == tokens
    assert len(source) < len(tokens) + len(MARKS) and target[-1] in MARKS


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_any_mask_comes_back(marks):
    tokens = list(range(10, 10 + len(marks)))
    source, target = corrupt(tokens, torch.tensor(marks), MARKS)
    assert restore(source, target, MARKS) == tokens
    assert [t for t in source if t < 1_000] == [
        t for t, m in zip(tokens, marks, strict=True) if not m
    ]


@given(st.integers(2, 400), st.integers(0, 10_000))
def test_the_share_is_exact_and_spans_do_not_touch(length, seed):
    hidden = random_spans(length, torch.Generator().manual_seed(seed))
    n_hidden = int(hidden.sum())
    assert n_hidden == min(max(round(0.15 * length), 1), length - 1)
    starts = int((hidden[1:] & ~hidden[:-1]).sum())
    assert not hidden[0] and hidden[-1]
    assert starts == min(max(round(n_hidden / 3), 1), length - n_hidden)


def test_spans_are_three_long_on_average_and_vary():
    generator = torch.Generator().manual_seed(0)
    lengths = []
    for _ in range(200):
        hidden = random_spans(200, generator).tolist()
        runs = "".join("x" if h else " " for h in hidden).split()
        lengths += map(len, runs)
    assert abs(sum(lengths) / len(lengths) - 3) < 0.05
    assert min(lengths) == 1 and max(lengths) >= 7


def test_every_cut_is_equally_likely():
    """Con 4 tapados en 2 tramos, las longitudes (1, 3), (2, 2) y (3, 1) salen por igual."""
    generator, seen = torch.Generator().manual_seed(0), {}
    for _ in range(3_000):
        hidden = random_spans(8, generator, share=0.5, mean_span=2).tolist()
        key = tuple(map(len, "".join("x" if h else " " for h in hidden).split()))
        seen[key] = seen.get(key, 0) + 1
    assert set(seen) == {(1, 3), (2, 2), (3, 1)}
    assert max(seen.values()) < 1.15 * min(seen.values())


def test_the_example_of_the_paper():
    """«Thank you <X> me to your party <Y> week»: Raffel et al. (2020), figura 2."""
    words = ["Thank", "you", "for", "inviting", "me", "to", "your", "party", "last", "week"]
    hidden = torch.tensor([w in ("for", "inviting", "last") for w in words])
    source, target = corrupt(list(range(10)), hidden, MARKS)
    assert source == [0, 1, MARKS[0], 4, 5, 6, 7, MARKS[1], 9]
    assert target == [MARKS[0], 2, 3, MARKS[1], 8, MARKS[2]]


def test_a_bad_answer_does_not_break_anything():
    assert restore([1, MARKS[0], 2], [], MARKS) == [1, 2]
    assert restore([1, MARKS[0], 2], [9, MARKS[0], 8, MARKS[0], 7], MARKS) == [1, 8, 2]
    assert sentinel(3) == "<hueco_3>"


def test_errors_say_what_to_do():
    generator = torch.Generator()
    with pytest.raises(ValueError, match="length=1: hacen falta dos tokens"):
        random_spans(1, generator)
    with pytest.raises(ValueError, match="share=1.5 y mean_span=3.0: usa una fracción"):
        random_spans(10, generator, 1.5)
    with pytest.raises(ValueError, match="2 tokens y 3 marcas"):
        corrupt([1, 2], torch.tensor([True, False, True]), MARKS)
    with pytest.raises(ValueError, match="2 tramos y 2 centinelas: hace falta uno más"):
        corrupt([1, 2, 3], torch.tensor([True, False, True]), MARKS[:2])
    with pytest.raises(ValueError, match="ya contiene un centinela"):
        corrupt([1, MARKS[0]], torch.tensor([True, False]), MARKS)
