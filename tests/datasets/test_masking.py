"""Tapar tokens: cuántos, con qué, cuáles no, y si la máscara se repite."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.datasets.text.masking import (
    BERT_TOKENS,
    Masking,
    mask_tokens,
    masked_batches,
    pack_sequences,
)
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

RULE = Masking(mask_id=6, n_tokens=50, n_special=7)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_shares_are_those_of_the_paper():
    tokens = torch.randint(7, 50, (400, 250), generator=generator(1))
    read, chosen = mask_tokens(tokens, RULE, generator())
    assert abs(float(chosen.float().mean()) - 0.15) < 0.005
    kept_alone = read[~chosen] == tokens[~chosen]
    assert bool(kept_alone.all()), "se ha cambiado un token que no estaba elegido"
    inside, before = read[chosen], tokens[chosen]
    masked, same = inside == 6, inside == before
    assert abs(float(masked.float().mean()) - 0.8) < 0.01
    # Uno al azar puede ser, por casualidad, el que había: una vez de cada 43.
    assert abs(float(same.float().mean()) - (0.1 + 0.1 / 43)) < 0.01
    random = inside[~masked & ~same]
    assert abs(len(random) / len(inside) - 0.1 * 42 / 43) < 0.01
    assert int(random.min()) == 7 and int(random.max()) == 49


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_special_tokens_are_never_touched_nor_written(seed, rate):
    rule = Masking(6, 50, 7, rate=rate)
    tokens = torch.randint(0, 50, (6, 20), generator=generator(seed))
    read, chosen = mask_tokens(tokens, rule, generator(seed))
    special = tokens < 7
    assert not chosen[special].any() and torch.equal(read[special], tokens[special])
    assert set(read[chosen].tolist()) & set(range(6)) == set()


def epochs(copies, n_epochs=4):
    tokens = torch.arange(7, 47).view(4, 10)
    batches = masked_batches(tokens, RULE, batch_size=2, copies=copies, seed=3)
    for _ in range(n_epochs):
        seen = {}
        for _, original, chosen in itertools.islice(batches, 2):
            for row, where in zip(original, chosen, strict=True):
                seen[int(row[0])] = where.tolist()
        yield [seen[first] for first in sorted(seen)]


def test_static_masks_come_back_and_dynamic_ones_do_not():
    one = list(epochs(copies=1))
    assert all(epoch == one[0] for epoch in one)
    first, second, third, _ = epochs(copies=2)
    assert first == third != second
    dynamic = list(epochs(copies=None))
    assert all(a != b for a, b in itertools.combinations(dynamic, 2))


def test_every_epoch_reads_everything_once():
    tokens = torch.arange(7, 47).view(4, 10)
    batches = masked_batches(tokens, RULE, batch_size=2, seed=0)
    seen = torch.cat([original for _, original, _ in itertools.islice(batches, 2)])
    assert torch.equal(seen[seen[:, 0].argsort()], tokens)
    again = masked_batches(tokens, RULE, batch_size=2, seed=0)
    first, repeated = next(masked_batches(tokens, RULE, batch_size=2, seed=0)), next(again)
    assert all(torch.equal(a, b) for a, b in zip(first, repeated, strict=True))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(7, 40), min_size=1, max_size=9), min_size=1, max_size=9),
       st.integers(3, 12))  # fmt: skip
def test_packing_keeps_the_text_in_order(documents, length):
    stream = [token for ids in documents for token in (*ids, 5)]
    if len(stream) < length - 2:
        with pytest.raises(ValueError, match="no llenan una ventana"):
            pack_sequences(documents, length=length, start_id=4, end_id=5)
        return
    windows = pack_sequences(documents, length=length, start_id=4, end_id=5)
    assert (windows[:, 0] == 4).all() and (windows[:, -1] == 5).all()
    inside = windows[:, 1:-1].flatten().tolist()
    assert inside == stream[: len(inside)] and len(stream) - len(inside) < length - 2


def test_rule_of_a_tokenizer():
    tokenizer = WordPieceTokenizer.train("la casa roja", 30, special_tokens=BERT_TOKENS)
    rule = Masking.for_tokenizer(tokenizer, rate=0.4)
    assert tokenizer.readable(rule.mask_id) == "[MASK]" and rule.rate == 0.4
    assert rule.n_special == 7 and rule.n_tokens == len(tokenizer)
    assert tokenizer.decode([4, *tokenizer.encode("la casa"), 5, 6]) == "la casa"


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="suman más de 1"):
        Masking(6, 50, 7, masked=0.8, random=0.3)
    with pytest.raises(ValueError, match="en BERT son 0.15, 0.8 y 0.1"):
        Masking(6, 50, 7, rate=0.0)
    with pytest.raises(ValueError, match="uno de los tokens especiales"):
        Masking(7, 50, 7)
    with pytest.raises(ValueError, match="copies=0: usa al menos una máscara"):
        masked_batches(torch.ones(4, 5, dtype=torch.long), RULE, batch_size=2, copies=0)
    with pytest.raises(ValueError, match="batch_size=9 con 4 secuencias"):
        masked_batches(torch.ones(4, 5, dtype=torch.long), RULE, batch_size=9)
