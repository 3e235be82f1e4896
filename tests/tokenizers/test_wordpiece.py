"""WordPiece: el corte de la biblioteca, y un aprendizaje que elige lo que dice su fórmula."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tokenizers.library import cut_signs, library_wordpiece
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers.merging import PairIndex, merge_pair
from tfcourse.tokenizers.splitting import split_words_and_signs
from tfcourse.tokenizers.wordpiece import PairGains, WordPieceTokenizer, start_pieces

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


def gains_by_hand(words):
    """Ganancia de cada par, contando de nuevo cada símbolo y cada par."""
    symbols, pairs = Counter(), Counter()
    for word, count in words:
        for symbol in word:
            symbols[symbol] += count
        for pair in pairwise(word):
            pairs[pair] += count
    total = sum(symbols.values())
    return {
        (a, b): c * math.log(c * total / (symbols[a] * symbols[b]))
        for (a, b), c in pairs.items()
        if c >= 2
    }


@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 4), min_size=1, max_size=7), st.integers(1, 9)),
        min_size=1,
        max_size=8,
    )
)
def test_every_step_takes_the_pair_that_gains_most(words):
    index = PairIndex([(list(word), count) for word, count in words])
    gains = PairGains(index)
    for step in range(5):
        wanted, pair = gains_by_hand(words), gains.best()
        if pair is None:
            assert not wanted
            return
        assert wanted[pair] == pytest.approx(max(wanted.values()))
        words = [(merge_pair(word, pair, 5 + step), count) for word, count in words]
        gains.update(index.merge(pair, 5 + step))


def test_learned_vocabulary_is_whole_and_marked(small):
    assert len(small) == 2_000 and start_pieces("año") == ["a", "##ñ", "##o"]
    assert small.tokenize("casas")[0][0] == "c" and all(
        piece.startswith("##") for piece in small.tokenize("casas")[1:]
    )


def test_vocabulary_smaller_than_the_alphabet_is_explained():
    with pytest.raises(ValueError, match="n_tokens=5 es menor que el alfabeto"):
        WordPieceTokenizer.train("una frase corta", 5)
