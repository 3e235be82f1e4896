"""Palabras y vecinas: los pares, las cuentas y los sorteos son los que dicen los artículos."""

from collections import Counter

import numpy as np
import pytest

from tfcourse.datasets.text.analogies import ANALOGIES, CATEGORIES, analogy_questions
from tfcourse.datasets.text.articles import join_texts, spanish_articles
from tfcourse.datasets.text.contexts import (
    cooccurrences,
    noise_distribution,
    skipgram_batches,
    subsample,
    window_pairs,
    word_corpus,
)


@pytest.fixture(scope="module")
def articles():
    return word_corpus(join_texts(list(spanish_articles())))


def test_vocabulary_goes_by_frequency_and_drops_the_rare():
    corpus = word_corpus("La casa, la CASA y la mesa de 3 patas", min_count=2)
    assert corpus.words == ["la", "casa"] and corpus.counts.tolist() == [3, 2]
    assert corpus.ids.tolist() == [0, 1, 0, 1, 0]
    with pytest.raises(ValueError, match="ninguna palabra aparece min_count=9 veces"):
        word_corpus("una frase", min_count=9)


def test_with_the_same_reach_pairs_are_all_the_neighbours():
    ids = np.array([0, 1, 2, 3, 4])
    pairs = window_pairs(ids, 1, np.random.default_rng(0))
    assert Counter(map(tuple, pairs.tolist())) == Counter(
        [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3)]
    )


def test_near_neighbours_count_more():
    ids = np.arange(20_000)
    pairs = window_pairs(ids, 4, np.random.default_rng(0))
    distances = Counter(abs(a - b) for a, b in pairs.tolist())
    # Con el alcance al azar entre 1 y 4, una vecina a distancia d sale con probabilidad (5 − d)/4.
    for distance in range(1, 5):
        assert distances[distance] / (2 * len(ids)) == pytest.approx((5 - distance) / 4, abs=0.02)


def test_subsampling_keeps_the_share_of_the_paper(articles):
    kept = subsample(articles, np.random.default_rng(0), threshold=1e-3)
    share = np.bincount(kept, minlength=len(articles)) / articles.counts
    frequency = articles.counts[0] / articles.counts.sum()
    assert share[0] == pytest.approx((1e-3 / frequency) ** 0.5, rel=0.1)
    assert (share[articles.counts / articles.counts.sum() < 1e-3] == 1).all()


def test_noise_is_frequency_to_three_quarters():
    noise = noise_distribution(np.array([16, 1]))
    np.testing.assert_allclose(noise, [8 / 9, 1 / 9])


def test_cooccurrences_are_those_of_a_double_loop():
    text = "a b a c b a"
    corpus = word_corpus(text, min_count=1)
    rows, columns, counts = cooccurrences(corpus, 3)
    wanted = Counter()
    words = text.split()
    for i, one in enumerate(words):
        for j, other in enumerate(words):
            if i != j and abs(i - j) <= 3:
                wanted[one, other] += 1 / abs(i - j)
    found = {
        (corpus.words[r], corpus.words[c]): n for r, c, n in zip(rows, columns, counts, strict=True)
    }
    assert found == pytest.approx(dict(wanted))


def test_batches_are_whole_and_repeatable(articles):
    options = {"window": 3, "batch_size": 512, "n_shared": 32, "seed": 1}
    one, two = (next(skipgram_batches(articles, **options)) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        assert first.tolist() == second.tolist()
    assert [len(part) for part in one] == [512, 512, 32]
    assert all(int(part.min()) >= 0 and int(part.max()) < len(articles) for part in one)
    with pytest.raises(ValueError, match="el texto da .* pares y el lote pide 99"):
        next(skipgram_batches(word_corpus("a b", 1), window=1, batch_size=99))


def test_every_word_of_the_lists_has_a_vector(articles):
    known = set(articles.words)
    for words in CATEGORIES.values():
        assert not set(words) - known and len(set(words)) == len(words)
    for pairs in ANALOGIES.values():
        assert not {word for pair in pairs for word in pair} - known
        assert all(a != b for a, b in pairs)
    assert len(analogy_questions("capital")) == len(ANALOGIES["capital"]) * (
        len(ANALOGIES["capital"]) - 1
    )
    with pytest.raises(ValueError, match="no hay relación 'sabor': usa una de género"):
        analogy_questions("sabor")
