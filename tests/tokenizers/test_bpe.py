"""BPE: mismas fusiones que la biblioteca, ida y vuelta de cualquier texto, y sin releerlo todo."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tokenizers.library import cut, library_bpe, library_merges
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers import merging
from tfcourse.tokenizers.bpe import BPETokenizer, learn_merges
from tfcourse.tokenizers.bytes import byte_characters, from_byte_characters, to_byte_characters
from tfcourse.tokenizers.merging import PairIndex, merge_pair
from tfcourse.tokenizers.splitting import count_words

TRAIN, TEST = (join_texts(part) for part in split_articles())
MEGABYTE = TRAIN.encode()[:1_000_000].decode("utf-8", "ignore")


@pytest.fixture(scope="module")
def small():
    return BPETokenizer.train(TRAIN[:100_000], 800)


@pytest.mark.parametrize("byte_level", [True, False])
@pytest.mark.parametrize(("length", "n_tokens"), [(30_000, 600), (200_000, 3_000)])
def test_merges_and_numbers_are_those_of_the_library(length, n_tokens, byte_level):
    text = TRAIN[:length]
    ours = BPETokenizer.train(text, n_tokens, byte_level=byte_level)
    theirs = library_bpe(text, n_tokens, byte_level)
    assert ours.merges == library_merges(theirs)
    vocabulary = theirs.get_vocab()
    assert ours.tokens == sorted(vocabulary, key=vocabulary.get)
    if byte_level:
        assert ours.encode(TEST[:50_000]) == theirs.encode(cut(TEST[:50_000])).ids


def test_one_megabyte_is_learned_touching_few_words_with_the_merges_of_the_library(monkeypatch):
    """Cada fusión solo relee las palabras que la contienen: por eso basta con unos segundos."""
    touched = []
    monkeypatch.setattr(
        merging, "merge_pair", lambda word, *pair: touched.append(1) or merge_pair(word, *pair)
    )
    ours = BPETokenizer.train(MEGABYTE, 8_000)
    rereading_all = len(ours.merges) * len(count_words(MEGABYTE))
    assert 0 < len(touched) < rereading_all / 500
    assert ours.merges == library_merges(library_bpe(MEGABYTE, 8_000))


@given(st.text())
@settings(max_examples=300)
def test_any_unicode_text_comes_back(small, text):
    assert small.decode(small.encode(text)) == text


@pytest.mark.parametrize(
    "text", ["", "ñ", "á", "👩‍👩‍👧‍👦", " \t\n\r  x ", "\0", "नमस्ते", "<fin>", "🇪🇸"]
)
def test_strange_texts_come_back(small, text):
    ids = small.encode(text)
    assert small.decode(ids) == text
    assert not {small.pad_id, small.start_id, small.stop_id, small.unknown_id} & set(ids)


def merges_by_recounting(words, n_merges):
    """La misma idea, contando de nuevo todos los pares en cada paso."""
    merges, words = [], [(list(word), count) for word, count in words]
    numbers = sorted({s for word, _ in words for s in word})
    for step in range(n_merges):
        pairs = Counter()
        for word, count in words:
            for pair in pairwise(word):
                pairs[pair] += count
        ranked = sorted((-count, pair) for pair, count in pairs.items() if count >= 2)
        if not ranked:
            break
        pair = ranked[0][1]
        merges.append(pair)
        words = [(merge_pair(word, pair, len(numbers) + step), n) for word, n in words]
    return merges


@given(st.lists(st.tuples(st.text("ab", min_size=1, max_size=8), st.integers(1, 5)), min_size=1))
def test_incremental_counts_are_those_of_recounting(words):
    symbols = [([ord(letter) - ord("a") for letter in word], count) for word, count in words]
    if {s for word, _ in symbols for s in word} != {0, 1}:
        return
    # Tokens que no se pueden confundir: dos fusiones nunca escriben lo mismo.
    slow = merges_by_recounting(symbols, 6)
    names = _UniqueNames(["a", "b"])
    assert learn_merges(PairIndex(symbols), names, 2 + len(slow)) == slow


class _UniqueNames(list):
    """Lista de tokens en la que cada nombre nuevo es distinto, aunque se escriba igual."""

    def __getitem__(self, position):
        return f"{super().__getitem__(position)}({position})"


@given(st.lists(st.integers(0, 2), max_size=12))
def test_merging_goes_from_left_to_right_and_keeps_the_text(symbols):
    merged = merge_pair(symbols, (1, 1), 9)
    assert [s for symbol in merged for s in ([1, 1] if symbol == 9 else [symbol])] == symbols
    assert (1, 1) not in pairwise(merged)


def test_every_byte_has_its_visible_character():
    table = byte_characters()
    assert len(set(table.values())) == len(table) == 256
    assert all(character.isprintable() and not character.isspace() for character in table.values())
    assert to_byte_characters(" ñ") == "ĠÃ±" and from_byte_characters("ĠÃ±") == " ñ"


def test_a_smaller_vocabulary_is_the_beginning_of_the_larger_one(small):
    smaller = BPETokenizer.train(TRAIN[:100_000], 500)
    assert small.tokens[:500] == smaller.tokens and small.merges[: 500 - 260] == smaller.merges


def test_half_a_character_is_readable(small):
    byte = small.token_id(byte_characters()[0xC3])
    assert small.readable(byte) == "\\xc3" and small.decode([byte]) == "\N{REPLACEMENT CHARACTER}"
    assert small.tokenize("El año") == ["El", " a", "ño"]


def test_characters_out_of_the_alphabet_are_unknown_without_bytes():
    tokenizer = BPETokenizer.train("la casa de la casa", 30, byte_level=False)
    assert tokenizer.encode("ñ") == [tokenizer.unknown_id]
    assert tokenizer.decode(tokenizer.encode("la ñ")) == "la \N{REPLACEMENT CHARACTER}"


def test_vocabulary_smaller_than_the_alphabet_is_explained():
    message = r"n_tokens=200 es menor que el alfabeto: 4 .* 256 .* ya son 260; usa n_tokens=260"
    with pytest.raises(ValueError, match=message):
        BPETokenizer.train("hola", 200)
