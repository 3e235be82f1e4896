"""Gramática inglés → español: frases sueltas que se saben, y propiedades de todas."""

import random

import pytest

from tfcourse.datasets.text.grammar import (
    ADJECTIVES,
    DETERMINERS,
    PEOPLE,
    PRONOUNS,
    THINGS,
    VERBS,
    act,
    describe,
    grammar_split,
    is_reserved,
    like,
    noun_phrase,
    random_sentence,
)

ROWS = {row[0]: row for row in (*PEOPLE, *THINGS, *ADJECTIVES, *VERBS, *PRONOUNS, *DETERMINERS)}


def phrase(determiner, noun, adjective=None, plural=False):
    return noun_phrase(ROWS[noun], ROWS[determiner], adjective and ROWS[adjective], plural=plural)


TREES = phrase(None, "tree", plural=True)


@pytest.mark.parametrize(
    ("made", "english", "spanish"),
    [
        (like(ROWS["i"], TREES, "afirma"), "i like trees .", "me gustan los árboles ."),
        (
            like(phrase("the", "boy"), phrase("this", "song"), "niega"),
            "the boy does not like this song .",
            "al niño no le gusta esta canción .",
        ),
        (
            like(ROWS["they"], phrase("my", "book", "blue"), "pregunta"),
            "do they like my blue book ?",
            "¿ a ellos les gusta mi libro azul ?",
        ),
        (
            act(ROWS["she"], ROWS["buy"], phrase("a", "car", "red"), "afirma"),
            "she buys a red car .",
            "compra un coche rojo .",
        ),
        (
            act(phrase("my", "sister", plural=True), ROWS["have"], TREES, "niega"),
            "my sisters do not have trees .",
            "mis hermanas no tienen árboles .",
        ),
        (
            act(ROWS["we"], ROWS["see"], phrase("the", "knife", "small", plural=True), "pregunta"),
            "do we see the small knives ?",
            "¿ vemos los cuchillos pequeños ?",
        ),
        (
            describe(phrase("this", "house", plural=True), ROWS["white"], "blancas", "niega"),
            "these houses are not white .",
            "estas casas no son blancas .",
        ),
    ],
)
def test_known_translations(made, english, spanish):
    assert made == (english, spanish)


@pytest.mark.lento
def test_there_are_more_than_a_hundred_thousand_sentences():
    rng = random.Random(0)
    assert len({random_sentence(rng).source for _ in range(160_000)}) > 100_000


@pytest.mark.lento
def test_every_sentence_has_one_translation():
    rng, known = random.Random(1), {}
    for _ in range(30_000):
        sentence = random_sentence(rng)
        assert known.setdefault(sentence.source, sentence.target) == sentence.target


def test_split_has_no_leaks_and_covers_the_words():
    train, test, reserved = grammar_split(4_000, 300, seed=0)
    sources = [sentence.source for sentence in (*train, *test, *reserved)]
    assert len(set(sources)) == len(sources) == 4_600
    assert not any(is_reserved(*pair) for s in (*train, *test) for pair in s.combinations)
    assert all(any(is_reserved(*pair) for pair in s.combinations) for s in reserved)
    for side in ("source", "target"):
        words = {word for sentence in train for word in getattr(sentence, side)}
        assert {w for s in (*test, *reserved) for w in getattr(s, side)} <= words


def test_no_noun_or_adjective_is_always_reserved():
    nouns, adjectives = [row[0] for row in (*PEOPLE, *THINGS)], [row[0] for row in ADJECTIVES]
    for noun in nouns:
        assert 0 < sum(is_reserved(noun, a) for a in adjectives) < len(adjectives) / 2
    for adjective in adjectives:
        assert 0 < sum(is_reserved(n, adjective) for n in nouns) < len(nouns) / 2


def test_impossible_sizes_are_explained():
    with pytest.raises(ValueError, match="n_train=100000 y n_test=1"):
        grammar_split(100_000, 1)
