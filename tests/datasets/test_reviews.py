"""Reseñas inventadas: la clase se puede volver a deducir, y lo reservado no se cuela."""

import random
import re
from collections import Counter

import pytest

from tfcourse.datasets.reviews import LABELS, PHENOMENA, make_reviews, review_split
from tfcourse.datasets.reviews import vocabulary as w
from tfcourse.datasets.reviews.noise import add_noise


@pytest.fixture(scope="module")
def split():
    return review_split(1500, 600, seed=0)


def adjectives(part):
    return {
        form: sign
        for sign in (1, -1)
        for pair in w.ADJECTIVES[sign][part]
        for form in pair.split("/")
    }


SEEN, NEW = adjectives(w.SEEN), adjectives(w.HELD_OUT)


def opinion_words(text):
    return [word for word in re.findall(r"\w+", text.lower()) if word in SEEN | NEW]


def test_same_seed_same_reviews():
    assert make_reviews(60, seed=3) == make_reviews(60, seed=3)
    assert make_reviews(60, seed=3) != make_reviews(60, seed=4)


def test_classes_are_balanced(split):
    counts = Counter(review.label for review in split[0])
    assert set(counts.values()) == {500} and len(LABELS) == 3


def test_every_phenomenon_appears_with_its_classes(split):
    found = {name: {r.label for r in split[0] if r.phenomenon == name} for name in PHENOMENA}
    assert found == {
        "directa": {0, 2},
        "negación": {0, 2},
        "contraste": {0, 2},
        "ironía": {0},
        "neutra": {1},
        "mixta": {1},
    }


def test_no_review_is_on_both_sides_even_rewritten(split):
    train, test = split
    assert not {r.clean for r in train} & {r.clean for r in test}
    assert len({r.clean for r in train}) == len(train)


def test_reserved_words_only_when_evaluating(split):
    train, test = split
    assert not any(word in NEW for r in train for word in opinion_words(r.clean))
    assert w.HELD_OUT_DOMAIN not in {r.domain for r in train}
    assert w.HELD_OUT_DOMAIN in {r.domain for r in test}
    marked = [r.new_word for r in test]
    assert 0.15 < sum(marked) / len(marked) < 0.5
    for review in test:
        if any(word in NEW for word in opinion_words(review.clean)):
            assert review.new_word, review


def test_direct_reviews_say_what_their_words_say(split):
    for review in split[1]:
        signs = {(SEEN | NEW)[word] for word in opinion_words(review.clean)}
        if review.phenomenon == "directa" and signs:
            assert signs == {review.label - 1}, review


def test_negated_reviews_say_the_opposite(split):
    for review in split[1]:
        signs = {(SEEN | NEW)[word] for word in opinion_words(review.clean)}
        if review.phenomenon == "negación" and signs:
            assert signs == {1 - review.label}, review


def test_in_contrast_the_ruling_clause_decides(split):
    """Con «pero», lo de después; con «aunque» delante, lo que sigue a la coma."""
    checked = 0
    for review in split[0]:
        text = review.clean.lower()
        if review.phenomenon != "contraste" or not (" pero " in text or "aunque " in text):
            continue
        if " pero " in text:
            ruling = text.split(" pero ")[1]
        elif ". aunque " in f". {text}":
            ruling = text.split(", ")[-1]
        else:
            ruling = text.split(", aunque ")[0]
        signs = {SEEN[word] for word in opinion_words(ruling)}
        if signs:
            checked += 1
            assert signs == {review.label - 1}, review
    assert checked > 50


def test_words_alone_do_not_solve_contrast(split):
    """Las dos clases llevan las mismas palabras: una de cada signo, o ninguna."""
    for label in (0, 2):
        rows = [r for r in split[0] if r.phenomenon == "contraste" and r.label == label]
        signs = Counter(SEEN[word] for r in rows for word in opinion_words(r.clean))
        assert 0.4 < signs[1] / (signs[1] + signs[-1]) < 0.6


def test_noise_keeps_the_clean_text(split):
    noisy = [r for r in split[0] if r.noisy]
    assert 0.4 < len(noisy) / len(split[0]) < 0.6
    assert all(r.text == r.clean for r in split[0] if not r.noisy)
    assert not any(r.noisy for r in make_reviews(60, noise=0.0))


def test_noise_does_not_break_links():
    rng = random.Random(0)
    texts = [add_noise("La habitación resultó estupenda.", 1, rng) for _ in range(400)]
    assert any("ejemplo.es" in text for text in texts)
    assert all("https://ejemplo.es/" in text for text in texts if "/" in text)


@pytest.mark.parametrize(("count", "noise"), [(0, 0.5), (10, 1.5)])
def test_bad_requests(count, noise):
    with pytest.raises(ValueError, match="pide al menos una reseña"):
        make_reviews(count, noise=noise)
