"""WordPiece: el corte de la biblioteca, y un aprendizaje que elige lo que dice su fórmula."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tokenizers.library import cut_signs, library_wordpiece
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers.merging import PairIndex, merge_pair
from tfcourse.tokenizers.splitting import split_words_and_signs
from tfcourse.tokenizers.wordpiece import (
    PairGains,
    WordPieceTokenizer,
    association,
    likelihood_gain,
    start_pieces,
)

TRAIN, TEST = (join_texts(part) for part in split_articles())


@pytest.fixture(scope="module")
def small():
    return WordPieceTokenizer.train(TRAIN[:150_000], 2_000)


def test_cut_is_that_of_the_library(small):
    text = TEST[:200_000] + " palabrarrarísimaconlaletra⊕ " + "a" * 101 + " " + "a" * 100
    theirs = library_wordpiece(small.tokens)
    assert small.encode(text) == theirs.encode(cut_signs(text)).ids
    assert small.unknown_id in small.encode(text)


@given(st.text("casñ⊕ .", max_size=20))
def test_cut_of_any_text_is_that_of_the_library(small, text):
    theirs = library_wordpiece(small.tokens)
    assert small.encode(text) == (theirs.encode(cut_signs(text)).ids if text.strip() else [])


def test_words_and_signs_come_back_without_their_spaces(small):
    text = TEST[:5_000]
    if small.unknown_id not in small.encode(text):
        assert small.decode(small.encode(text)).split() == split_words_and_signs(text)
    assert small.decode(small.encode("La casa, blanca")) == "La casa , blanca"


def likelihood(words):
    """Log-verosimilitud de una bolsa de símbolos, con las probabilidades que mejor le van."""
    symbols = Counter()
    for word, count in words:
        for symbol in word:
            symbols[symbol] += count
    total = sum(symbols.values())
    return sum(n * math.log(n / total) for n in symbols.values() if n)


def gains_by_merging(words):
    """Ganancia de cada par: se fusiona de verdad y se vuelve a estimar todo."""
    pairs = Counter()
    for word, count in words:
        for pair in pairwise(word):
            pairs[pair] += count
    return {
        pair: likelihood([(merge_pair(word, pair, -1), n) for word, n in words]) - likelihood(words)
        for pair, c in pairs.items()
        if c >= 2
    }


def gain_of(words, pair):
    """Lo que dice la fórmula de ese par, con las cuentas del índice."""
    index = PairIndex([(list(word), count) for word, count in words])
    counts = [index.pairs[pair], index.symbols[pair[0]], index.symbols[pair[1]]]
    total = sum(index.symbols.values())
    return likelihood_gain(*np.array(counts)[:, None], total, pair[0] == pair[1])[0]


CORPUS = st.lists(
    st.tuples(st.lists(st.integers(0, 4), min_size=1, max_size=7), st.integers(1, 9)),
    min_size=1,
    max_size=8,
)


@given(CORPUS)
def test_gain_is_that_of_merging_and_estimating_again(words):
    for pair, wanted in gains_by_merging(words).items():
        if pair[0] != pair[1]:
            assert gain_of(words, pair) == pytest.approx(wanted, abs=1e-8)


def test_gain_of_a_letter_with_itself_when_it_never_overlaps():
    words = [([0, 0, 1], 5), ([1, 0, 2], 3)]
    assert gain_of(words, (0, 0)) == pytest.approx(gains_by_merging(words)[0, 0])


def test_a_rare_pair_gains_its_association_minus_its_count():
    """La primera aproximación: lo que se quita a la asociación no es de orden menor."""
    pair, left, right, total = np.array([30.0]), np.array([4e5]), np.array([3e5]), 1e7
    first_order = association(pair, left, right, total) - pair
    np.testing.assert_allclose(likelihood_gain(pair, left, right, total), first_order, rtol=1e-3)


def test_a_pair_more_frequent_than_by_chance_may_still_lose():
    counts = np.array([20.0]), np.array([1000.0]), np.array([1000.0])
    assert association(*counts, 60_000) > 0 > likelihood_gain(*counts, 60_000)


@given(CORPUS)
def test_every_step_takes_the_pair_that_gains_most(words):
    index = PairIndex([(list(word), count) for word, count in words])
    gains = PairGains(index)
    for step in range(5):
        repeated = [pair for pair, count in index.pairs.items() if count >= 2]
        wanted, pair = {p: gain_of(words, p) for p in repeated}, gains.best()
        if pair is None:
            assert max(wanted.values(), default=0) <= 1e-9
            return
        assert wanted[pair] == pytest.approx(max(wanted.values()))
        words = [(merge_pair(word, pair, 5 + step), count) for word, count in words]
        gains.update(index.merge(pair, 5 + step))


def test_another_criterion_learns_another_vocabulary():
    exact, other = (
        WordPieceTokenizer.train(TRAIN[:50_000], 600, gain=gain)
        for gain in (likelihood_gain, association)
    )
    assert set(exact.tokens) != set(other.tokens) and len(exact) == len(other) == 600


def test_learned_vocabulary_is_whole_and_marked(small):
    assert len(small) == 2_000 and start_pieces("año") == ["a", "##ñ", "##o"]
    assert small.tokenize("casas")[0][0] == "c" and all(
        piece.startswith("##") for piece in small.tokenize("casas")[1:]
    )


def test_vocabulary_smaller_than_the_alphabet_is_explained():
    with pytest.raises(ValueError, match="n_tokens=5 es menor que el alfabeto"):
        WordPieceTokenizer.train("una frase corta", 5)
