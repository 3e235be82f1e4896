"""Unigram: las cuentas de la retícula, por fuerza bruta, y su verosimilitud, con la biblioteca."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tokenizers.library import cut, library_unigram
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers.lattice import Lattice
from tfcourse.tokenizers.splitting import count_words
from tfcourse.tokenizers.unigram import UnigramTokenizer, learn_pieces, seed_pieces

TRAIN, TEST = (join_texts(part) for part in split_articles())
PIECES = {"a": 0.3, "b": 0.2, "c": 0.1, "ab": 0.2, "bc": 0.1, "abc": 0.05, "aa": 0.05}


def every_cut(word):
    """Todos los cortes de una palabra: entre dos letras se corta o no."""
    for cuts in product([False, True], repeat=len(word) - 1):
        pieces, start = [], 0
        for position, here in enumerate(cuts, start=1):
            if here:
                pieces.append(word[start:position])
                start = position
        yield [*pieces, word[start:]]


def brute_force(word, pieces=PIECES):
    cuts = [c for c in every_cut(word) if all(piece in pieces for piece in c)]
    chances = [math.prod(pieces[piece] for piece in c) for c in cuts]
    return cuts, chances


words_of_abc = st.lists(st.text("abc", min_size=1, max_size=7), min_size=1, max_size=5, unique=True)


@given(words_of_abc)
def test_expected_counts_are_those_of_enumerating_every_cut(words):
    counts = np.arange(1, len(words) + 1)
    ids = {piece: number for number, piece in enumerate(PIECES)}
    lengths = np.array([len(piece) for piece in PIECES])
    lattice = Lattice.build(words, ids)
    expected, likelihood = lattice.expected_counts(np.array(list(PIECES.values())), lengths, counts)
    wanted, wanted_likelihood = np.zeros(len(PIECES)), 0.0
    for word, count in zip(words, counts, strict=True):
        cuts, chances = brute_force(word)
        wanted_likelihood += count * math.log(sum(chances))
        for pieces, chance in zip(cuts, chances, strict=True):
            for piece in pieces:
                wanted[ids[piece]] += count * chance / sum(chances)
    np.testing.assert_allclose(expected, wanted, rtol=1e-9)
    assert likelihood == pytest.approx(wanted_likelihood)


@given(words_of_abc)
def test_best_score_without_the_piece_itself(words):
    ids = {piece: number for number, piece in enumerate(PIECES)}
    score = np.log(list(PIECES.values()))
    found = Lattice.build(words, ids, whole=False).best_scores(score)
    for word, value in zip(words, found, strict=True):
        chances = [
            chance for pieces, chance in zip(*brute_force(word), strict=True) if len(pieces) > 1
        ]
        assert value == pytest.approx(math.log(max(chances)) if chances else -math.inf)


@given(st.text("abc", min_size=1, max_size=8))
def test_encoding_takes_the_most_likely_cut(word):
    tokenizer = UnigramTokenizer(PIECES, [math.log(p) for p in PIECES.values()])
    _, chances = brute_force(word)
    found = math.prod(PIECES[piece] for piece in tokenizer.tokenize(word))
    assert found == pytest.approx(max(chances))
    assert tokenizer.word_score(word) == pytest.approx(math.log(sum(chances)))


def test_dropping_pieces_is_the_same_as_building_without_them():
    words, kept = ["abcaab", "cab", "b"], np.array([True, True, True, False, True, False, True])
    ids = {piece: number for number, piece in enumerate(PIECES)}
    left = [piece for piece, stays in zip(PIECES, kept, strict=True) if stays]
    probability = np.array([PIECES[piece] for piece in left])
    lengths, counts = np.array([len(piece) for piece in left]), np.array([3, 1, 2])
    one = Lattice.build(words, ids).keep(kept).expected_counts(probability, lengths, counts)
    renumbered = {piece: number for number, piece in enumerate(left)}
    two = Lattice.build(words, renumbered).expected_counts(probability, lengths, counts)
    np.testing.assert_allclose(one[0], two[0])
    assert one[1] == pytest.approx(two[1])


def test_seeds_are_every_character_and_the_pieces_that_cover_most():
    """Las letras no gastan sitio, por frecuentes que sean; lo que sale una vez no se propone."""
    counts = Counter({"abc": 2, "a": 50, "de": 1})
    letters = {"a": 52, "b": 2, "c": 2, "d": 1, "e": 1}
    assert seed_pieces(counts, 1) == letters | {"abc": 2}
    assert seed_pieces(counts, 9) == letters | {"abc": 2, "ab": 2, "bc": 2}


def test_the_longest_piece_is_that_of_sentencepiece():
    word = "abcdefghijklmnopqrst"
    assert max(map(len, seed_pieces(Counter({word: 2}), 500))) == 16


def test_em_never_lowers_the_likelihood():
    words = count_words(TRAIN[:40_000])
    seeds = seed_pieces(words, 2_000)
    ids = {piece: number for number, piece in enumerate(seeds)}
    lattice, counts = Lattice.build(list(words), ids), np.array(list(words.values()))
    lengths, probability = np.array([len(p) for p in seeds]), np.full(len(seeds), 1 / len(seeds))
    reached = []
    for _ in range(6):
        expected, likelihood = lattice.expected_counts(probability, lengths, counts)
        assert expected @ lengths == pytest.approx(sum(len(w) * n for w, n in words.items()))
        reached.append(likelihood)
        probability = expected / expected.sum()
    assert reached == sorted(reached)


def normalised(pieces):
    scores = np.array([score for _, score in pieces])
    return UnigramTokenizer([p for p, _ in pieces], scores - np.log(np.exp(scores).sum()))


def likelihood(tokenizer, text):
    words = count_words(text)
    return sum(n * tokenizer.word_score(word) for word, n in words.items()) / words.total()


@pytest.fixture(scope="module", params=[1_000, pytest.param(3_000, marks=pytest.mark.lento)])
def both(request):
    text = TRAIN[:300_000]
    library, pieces = library_unigram(text, request.param)
    return text, UnigramTokenizer.train(text, request.param), library, pieces


def test_likelihood_is_at_least_that_of_the_library(both):
    """A igual tamaño; la biblioteca cuenta las semillas por palabras distintas, no por veces."""
    text, ours, _, pieces = both
    theirs = normalised(pieces)
    assert len(ours) == len(theirs)
    for sample in (text, TEST[:100_000]):
        assert likelihood(ours, sample) >= 1.01 * likelihood(theirs, sample)  # son negativas


def test_with_the_pieces_of_the_library_em_gives_its_likelihood(both):
    text, _, _, pieces = both
    theirs = normalised(pieces)
    words = count_words(text)
    seeds = {piece: 1 for piece, _ in pieces}
    learned = learn_pieces(words, seeds, len(seeds))
    for _ in range(3):
        learned = learn_pieces(words, {p: math.exp(s) for p, s in learned.items()}, len(seeds))
    ours = UnigramTokenizer(learned, learned.values())
    assert likelihood(ours, text) == pytest.approx(likelihood(theirs, text), rel=0.01)


def test_cut_is_that_of_the_library_with_its_pieces(both):
    text, _, library, pieces = both
    ours = UnigramTokenizer([p for p, _ in pieces], [s for _, s in pieces])
    letters = set("".join(piece for piece, _ in pieces))
    known = "".join(c for c in text[:100_000] if c in letters)
    assert len(known) > 99_000
    assert ours.tokenize(known) == library.encode(cut(known)).tokens


def test_unknown_character_is_one_token_and_the_rest_comes_back(both):
    _, ours, _, _ = both
    ids = ours.encode("casa⊕ azul")
    assert ids.count(ours.unknown_id) == 1
    assert ours.decode(ids) == "casa\N{REPLACEMENT CHARACTER} azul"
    text = TRAIN[:20_000]
    assert ours.decode(ours.encode(text)) == text


def test_bad_arguments_are_explained():
    with pytest.raises(ValueError, match="hay 2 trozos y 1 puntajes"):
        UnigramTokenizer(["a", "b"], [0.0])
    with pytest.raises(ValueError, match="n_tokens=6 es menor que el alfabeto"):
        UnigramTokenizer.train("una frase", 6)
