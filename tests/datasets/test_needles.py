"""Agujas: la respuesta está donde se dice, a la distancia que se dice."""

import itertools

import pytest
import torch

from tfcourse.datasets.puzzles.needles import (
    CARD,
    N_DIGITS,
    N_LETTERS,
    NOISE,
    QUESTION,
    make_needles,
    needle_batches,
)


def some(n=300, length=64, **options):
    return make_needles(n, length, generator=torch.Generator().manual_seed(0), **options)


def test_every_answer_is_where_it_says():
    needles = some(50, n_questions=5)
    for row in range(50):
        for question in range(5):
            place = 64 - 5 + question
            card = place - needles.distances[row, question]
            assert needles.kinds[row, place] == QUESTION and needles.kinds[row, card] == CARD
            assert needles.letters[row, card] == needles.letters[row, place]
            assert needles.digits[row, card] == needles.answers[row, question]


def test_one_card_per_letter_and_distinct_questions():
    needles = some()
    for row in range(20):
        cards = needles.letters[row, needles.kinds[row] == CARD].tolist()
        asked = needles.letters[row, needles.kinds[row] == QUESTION].tolist()
        assert sorted(cards) == list(range(N_LETTERS)) and len(set(asked)) == len(asked)
    noise = needles.kinds == NOISE
    assert needles.letters[noise].max() == 0 and needles.digits[noise].unique().numel() == N_DIGITS
    assert (needles.digits[needles.kinds == QUESTION] == 0).all()


def test_as_many_cards_at_each_scale_and_none_gives_away_its_letter():
    needles = some(4000, 512, n_questions=1)
    distance = needles.distances[:, 0].float()
    shares = [((distance > low) & (distance <= 2 * low)).float().mean() for low in (16, 32, 64)]
    assert max(shares) < 1.35 * min(shares)
    by_letter = [distance[needles.letters[:, -1] == x].log().mean() for x in range(N_LETTERS)]
    assert max(by_letter) - min(by_letter) < 0.5


def test_answers_are_balanced():
    share = some(3000).answers.flatten().bincount(minlength=N_DIGITS) / (3000 * 8)
    assert share.max() < 0.115 and share.min() > 0.085


def test_batches_are_fresh_and_repeatable():
    first, second = itertools.islice(needle_batches(4, 40, seed=3), 2)
    assert not torch.equal(first.letters, second.letters)
    again = next(needle_batches(4, 40, seed=3))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert [x.shape for x in first.to("cpu").inputs] == [(4, 40)] * 3


@pytest.mark.parametrize("options", [{"length": 12}, {"length": 64, "n_questions": 9}])
def test_impossible_sizes_are_explained(options):
    with pytest.raises(ValueError, match="caben 8 fichas y las preguntas a partir de"):
        some(2, **options)
