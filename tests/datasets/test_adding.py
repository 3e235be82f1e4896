"""Problema de la suma: la respuesta es la que es, y la línea base, la que se dice."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.datasets.puzzles.adding import ADDING_BASELINE, adding_batches, adding_examples


def examples(n, length, seed=0):
    return adding_examples(n, length, torch.Generator().manual_seed(seed))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(2, 40), st.integers(0, 1000))
def test_one_mark_in_each_half_and_the_answer_is_their_sum(n, length, seed):
    x, answers = examples(n, length, seed)
    assert x.shape == (n, length, 2) and answers.shape == (n, 1)
    for row, answer in zip(x.tolist(), answers.tolist(), strict=True):
        marked = [t for t, (_, mark) in enumerate(row) if mark == 1]
        assert len(marked) == 2 and sum(mark for _, mark in row) == 2
        assert marked[0] < length // 2 <= marked[1]
        assert answer[0] == pytest.approx(sum(row[t][0] for t in marked))


def test_every_place_of_each_half_is_used():
    x, _ = examples(2000, 11)
    assert (x[..., 1].sum(0) > 0).all()


def test_the_baseline_is_the_error_of_always_answering_one():
    _, answers = examples(200_000, 4)
    assert float((answers - 1).square().mean()) == pytest.approx(ADDING_BASELINE, rel=0.02)
    constants = torch.linspace(0.5, 1.5, 11)
    errors = (answers - constants).square().mean(0)
    assert constants[errors.argmin()] == pytest.approx(1.0)


def test_one_seed_one_stream_and_no_batch_twice():
    first, again, other = (
        list(itertools.islice(adding_batches(4, 10, seed), 3)) for seed in (5, 5, 6)
    )
    for (x, y), (x_again, y_again), (x_other, _) in zip(first, again, other, strict=True):
        assert torch.equal(x, x_again) and torch.equal(y, y_again)
        assert not torch.equal(x, x_other)
    assert not torch.equal(first[0][0], first[1][0])


@pytest.mark.parametrize(("n", "length"), [(0, 10), (3, 1)])
def test_sizes_that_make_no_sense_are_refused(n, length):
    with pytest.raises(ValueError, match=f"n={n} ejemplos de length={length} pasos: hace falta"):
        examples(n, length)
