"""Juegos de cartas y documentos con intrusa: la respuesta está donde se dice y se repiten."""

import pytest
import torch

from tfcourse.datasets.puzzles.cards import N_LETTERS, marked_game, match_game, search_game
from tfcourse.datasets.puzzles.intruders import (
    MAX_WORDS,
    TOPICS,
    UNKNOWN_ID,
    count_words,
    intruder_documents,
    number_trigrams,
    number_words,
    opening_words,
)
from tfcourse.datasets.text.articles import split_articles


def test_search_game_answers_are_where_they_say():
    game = search_game(200, seed=3)
    for letters, digits, asked, answer in zip(
        game.letters.tolist(), game.digits.tolist(), game.asked, game.answer, strict=True
    ):
        assert len(set(letters)) == len(letters)
        assert digits[letters.index(int(asked))] == answer
    assert torch.equal(game.asked, game.letters.gather(1, game.place[:, None])[:, 0])


def test_match_game_shares_exactly_one_letter():
    game = match_game(200, seed=4)
    for row in range(200):
        a, b = game.letters_a[row].tolist(), game.letters_b[row].tolist()
        (shared,) = set(a) & set(b)
        assert (a.index(shared), b.index(shared)) == (game.place_a[row], game.place_b[row])
        assert game.digits_a[row, a.index(shared)] == game.answer_a[row]
        assert game.digits_b[row, b.index(shared)] == game.answer_b[row]
        assert len(set(a)) == len(set(b)) == 5


def test_marked_game_points_at_two_cards():
    game = marked_game(200, seed=5)
    rows = torch.arange(200)
    first, second = (game.marks == 1).int().argmax(1), (game.marks == 2).int().argmax(1)
    assert ((game.marks == 1).sum(1) == 1).all() and ((game.marks == 2).sum(1) == 1).all()
    assert torch.equal(game.color, game.colors[rows, first])
    assert torch.equal(game.shape, game.shapes[rows, second])


@pytest.mark.parametrize("make", [search_game, match_game, marked_game])
def test_one_seed_one_set(make):
    one, same, other = (make(20, seed=seed).tensors() for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(one, same, strict=True))
    assert any(not torch.equal(a, b) for a, b in zip(one, other, strict=True))
    assert all(len(tensor) == 20 for tensor in one)


def test_games_refuse_impossible_orders():
    with pytest.raises(ValueError, match=f"hay {N_LETTERS}"):
        search_game(1, n_cards=N_LETTERS + 1)
    with pytest.raises(ValueError, match="pide menos"):
        match_game(1, n_cards=N_LETTERS)
    with pytest.raises(ValueError, match="al menos dos"):
        marked_game(1, n_cards=1)


def test_intruders_stand_out_and_do_not_leak():
    train, test = split_articles()
    topic_of = {opening_words(a): a.topic for a in train}
    documents = intruder_documents(train, 100, seed=0)
    assert documents == intruder_documents(train, 100, seed=0)
    for document in documents:
        for place, sentence in enumerate(document.sentences):
            expected = TOPICS[document.topic] if place == document.place else "Personas"
            assert topic_of[sentence] == expected
    seen = {s for d in documents for s in d.sentences}
    held_out = {s for d in intruder_documents(test, 100, seed=0) for s in d.sentences}
    assert not seen & held_out
    with pytest.raises(ValueError, match="no hay artículos de Artes"):
        intruder_documents([a for a in train if a.topic != "Artes"], 1)


def test_words_and_trigrams_are_numbered():
    sentences = [("la", "casa", "roja"), ("la", "casa"), ("la",)]
    numbers = count_words(sentences, min_count=2)
    assert set(numbers) == {"la", "casa"}
    ids = number_words(sentences, numbers)
    assert ids.shape == (3, MAX_WORDS)
    assert ids[0, :4].tolist() == [numbers["la"], numbers["casa"], UNKNOWN_ID, 0]
    trigrams = number_trigrams([("sol", "soles")])
    assert (trigrams[0, 0] > 0).sum() == 3 and (trigrams[0, 1] > 0).sum() == 5
    assert trigrams[0, 0, 0] == trigrams[0, 1, 0], "«<so» es el mismo grupo en las dos"
