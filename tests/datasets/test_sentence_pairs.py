"""Parejas de oraciones: qué va detrás de qué, y cómo se codifica."""

import pytest
import torch

from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.datasets.text.sentence_pairs import (
    SentencePair,
    encode_pairs,
    next_sentence_pairs,
    sentence_order_pairs,
    sentences,
    shared_words,
)
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

TEXTS = [
    f"La casa número {i} es muy grande. Su puerta {i} da al norte. Nadie vive allí desde {i}."
    for i in range(200)
]


def place(text):
    """A qué texto pertenece una oración y qué lugar ocupa en él."""
    row = next(i for i, whole in enumerate(TEXTS) if text in sentences(whole))
    return row, sentences(TEXTS[row]).index(text)


def test_sentences_are_cut_where_they_should():
    text = "Nació en 1892, según J. R. Tolkien. Fue escritor. ¿Quién no lo leyó? Sí."
    assert sentences(text, min_words=1) == [
        "Nació en 1892, según J. R. Tolkien.", "Fue escritor.", "¿Quién no lo leyó?", "Sí.",
    ]  # fmt: skip
    assert sentences("Muy corta. Esta tiene más de cuatro palabras.") == [
        "Esta tiene más de cuatro palabras."
    ]


def test_half_of_the_next_sentences_are_strangers():
    pairs = next_sentence_pairs(TEXTS, seed=0)
    assert len(pairs) == len(TEXTS)
    assert 0.4 < sum(pair.follows for pair in pairs) / len(pairs) < 0.6
    for pair in pairs:
        (row_a, a), (row_b, b) = place(pair.first), place(pair.second)
        assert (row_a == row_b and b == a + 1) if pair.follows else row_a != row_b


def test_order_pairs_are_always_neighbours():
    pairs = sentence_order_pairs(TEXTS, seed=0)
    assert 0.4 < sum(pair.follows for pair in pairs) / len(pairs) < 0.6
    for pair in pairs:
        (row_a, a), (row_b, b) = place(pair.first), place(pair.second)
        assert row_a == row_b and b - a == (1 if pair.follows else -1)


def test_shared_words_do_not_know_the_order():
    pair = SentencePair("La catedral es antigua y roja", "Antigua catedral, otra piedra más", True)
    turned = SentencePair(pair.second, pair.first, False)
    assert shared_words(pair) == shared_words(turned) == 2 / 3
    assert shared_words(SentencePair("sol", "mar", True)) == 0.0


def test_encoding_marks_the_two_segments():
    tokenizer = WordPieceTokenizer.train("la casa es roja y azul", 60, special_tokens=BERT_TOKENS)
    pairs = [SentencePair("la casa", "es roja", True), SentencePair("azul", "y", False)]
    encoded = encode_pairs(pairs, tokenizer, max_length=40)
    first, second = tokenizer.encode("la casa"), tokenizer.encode("es roja")
    row = encoded.tokens[0, : encoded.lengths[0]].tolist()
    assert row == [4, *first, 5, *second, 5]
    kept = encoded.segments[0, : encoded.lengths[0]].tolist()
    assert kept == [0] * (len(first) + 2) + [1] * (len(second) + 1)
    assert encoded.follows.tolist() == [1, 0]
    assert (encoded.tokens[1, encoded.lengths[1] :] == 0).all()
    short = encode_pairs(pairs, tokenizer, max_length=5)
    assert short.lengths.tolist() == [5, 5] and (short.tokens[:, [0, 2, 4]] == torch.tensor(
        [4, 5, 5])).all()  # fmt: skip


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="solo hay 1 textos con dos oraciones"):
        next_sentence_pairs(TEXTS[:1])
    tokenizer = WordPieceTokenizer.train("la casa", 30, special_tokens=BERT_TOKENS)
    with pytest.raises(ValueError, match="ya son cinco tokens"):
        encode_pairs([SentencePair("la", "casa", True)], tokenizer, max_length=4)
