"""Ficheros de dos preguntas: cada respuesta es la cifra de la ficha preguntada."""

import pytest
import torch

from tfcourse.datasets.puzzles.lookup import DIGITS, LETTERS, lookup_batches, make_lookups


def some_lookups(n_examples=200, seed=0, **options):
    return make_lookups(n_examples, generator=torch.Generator().manual_seed(seed), **options)


def test_answers_are_the_digits_of_the_asked_cards():
    lookups = some_lookups(50)
    for row in range(50):
        cards = dict(zip(lookups.letters[row].tolist(), lookups.digits[row].tolist(), strict=True))
        asked = lookups.asked[row].tolist()
        assert len(cards) == 8 and asked[0] != asked[1]
        assert [cards[letter] for letter in asked] == lookups.answers[row].tolist()
        assert lookups.letters[row][lookups.places[row]].tolist() == asked


def test_everything_appears_about_as_often():
    lookups = some_lookups(4_000)
    for values, kinds in ((lookups.asked, len(LETTERS)), (lookups.answers, len(DIGITS))):
        shares = torch.bincount(values.flatten(), minlength=kinds) / values.numel()
        assert (shares * kinds - 1).abs().max() < 0.2


def test_batches_depend_only_on_the_seed():
    one, same, other = (next(lookup_batches(4, seed)) for seed in (1, 1, 2))
    assert one.letters.equal(same.letters) and one.answers.equal(same.answers)
    assert not one.letters.equal(other.letters)


@pytest.mark.parametrize("n_cards", [1, 17])
def test_number_of_cards_is_checked(n_cards):
    with pytest.raises(ValueError, match=f"n_cards={n_cards}.*entre 2 fichas y 16"):
        some_lookups(n_cards=n_cards)
