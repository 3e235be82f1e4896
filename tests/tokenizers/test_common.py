"""Lo común a los tokenizadores: especiales fijos, guardar y cargar, errores en español."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.tokenizers.base import SPECIAL_TOKENS
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.tokenizers.splitting import count_words, split_words
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.tokenizers.words import WordTokenizer

TEXT = "El niño come pan. La niña come panes; los niños comen panecillos. " * 5
EXTRA = {"special_tokens": ("<máscara>",)}
TRAINED = [
    CharacterTokenizer.train(TEXT, **EXTRA),
    WordTokenizer.train(TEXT, 20, **EXTRA),
    BPETokenizer.train(TEXT, 300, **EXTRA),
    BPETokenizer.train(TEXT, 60, byte_level=False, **EXTRA),
    WordPieceTokenizer.train(TEXT, 60, **EXTRA),
    UnigramTokenizer.train(TEXT, 60, **EXTRA),
]
every = pytest.mark.parametrize("tokenizer", TRAINED, ids=repr)


@every
def test_special_tokens_have_fixed_numbers(tokenizer):
    assert tuple(tokenizer.tokens[:4]) == SPECIAL_TOKENS
    assert tokenizer.token_id("<máscara>") == 4
    assert (tokenizer.pad_id, tokenizer.start_id, tokenizer.stop_id) == (0, 1, 2)
    assert [Vocabulary.pad_id, Vocabulary.start_id, Vocabulary.stop_id] == [0, 1, 2]
    inside = tokenizer.encode("El niño", start=True, stop=True)
    assert inside[0] == 1 and inside[-1] == 2 and inside[1:-1] == tokenizer.encode("El niño")


@every
def test_decoding_stops_at_the_end_and_skips_special_tokens(tokenizer):
    ids = tokenizer.encode("La niña come", start=True, stop=True)
    padded = torch.tensor([*ids, 0, 0, *tokenizer.encode("pan")])
    assert tokenizer.decode(padded) == "La niña come"
    assert tokenizer.decode([4, 3]) == "\N{REPLACEMENT CHARACTER}"
    assert tokenizer.decode([]) == "" and tokenizer.encode("") == []


@every
def test_a_special_token_written_in_the_text_is_plain_text(tokenizer):
    assert not {0, 1, 2, 4} & set(tokenizer.encode("come <fin> pan <máscara><relleno>"))


@every
def test_saved_tokenizer_cuts_the_same(tokenizer, tmp_path):
    path = tmp_path / "trozos.json"
    tokenizer.save(path)
    loaded = type(tokenizer).load(path)
    assert loaded.tokens == tokenizer.tokens and loaded.special_tokens == tokenizer.special_tokens
    assert loaded.encode(TEXT + "ñandú") == tokenizer.encode(TEXT + "ñandú")
    other = WordTokenizer if type(tokenizer) is not WordTokenizer else BPETokenizer
    name = type(tokenizer).__name__
    with pytest.raises(ValueError, match=f"guarda un {name} y se pedía un {other.__name__}"):
        other.load(path)


@every
def test_training_again_gives_the_same(tokenizer):
    if isinstance(tokenizer, CharacterTokenizer):
        assert CharacterTokenizer.train([TEXT], **EXTRA).tokens == tokenizer.tokens
    elif isinstance(tokenizer, UnigramTokenizer):
        again = UnigramTokenizer.train([TEXT], 60, **EXTRA)
        assert (again.tokens, again.scores) == (tokenizer.tokens, tokenizer.scores)


@every
def test_numbers_out_of_the_vocabulary_are_explained(tokenizer):
    size = len(tokenizer)
    message = f"el número {size}, en la posición 1, .* hay {size} tokens, del 0 al {size - 1}"
    with pytest.raises(ValueError, match=message):
        tokenizer.decode([5, size])
    with pytest.raises(ValueError, match="el número -1, en la posición 0"):
        tokenizer.decode([-1])
    with pytest.raises(ValueError, match="el token 'zzz' no está en el vocabulario de"):
        tokenizer.token_id("zzz")


@every
def test_cached_words_are_not_shared_with_the_answer(tokenizer):
    first = tokenizer.encode("come pan")
    first.clear()
    assert tokenizer.encode("come pan")


def test_words_keep_the_most_frequent_and_forget_the_rest():
    tokenizer = WordTokenizer.train("b b a a c", 4 + 2)
    assert tokenizer.tokens[4:] == ["a", "b"]
    assert tokenizer.encode("a c b") == [4, tokenizer.unknown_id, 5]
    with pytest.raises(ValueError, match="n_tokens=4 es menor que el alfabeto"):
        WordTokenizer.train("a b", 4)


def test_repeated_tokens_are_explained():
    with pytest.raises(ValueError, match="el token 'a' está repetido"):
        CharacterTokenizer(["a", "b", "a"])
    with pytest.raises(ValueError, match="'<fin>' está repetido"):
        CharacterTokenizer(["a"], ["<fin>"])


def test_empty_text_is_explained():
    for train in (BPETokenizer.train, WordPieceTokenizer.train, UnigramTokenizer.train):
        with pytest.raises(ValueError, match="el texto está vacío"):
            train("", 400)
    with pytest.raises(ValueError, match="el texto está vacío"):
        CharacterTokenizer.train([])


@given(st.text())
def test_the_first_cut_loses_nothing(text):
    assert "".join(split_words(text)) == text


def test_the_first_cut_keeps_the_space_with_the_word():
    assert split_words("El año 1492,  ¿y?") == ["El", " año", " 1492", ",", " ", " ¿", "y", "?"]
    assert count_words(["a a", "a b"]) == {"a": 2, " a": 1, " b": 1}
