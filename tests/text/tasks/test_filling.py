"""El examen de los tramos: qué se cuenta, y lo que acierta quien no lee."""

import torch

from tfcourse.models.t5 import T5, T5Config
from tfcourse.text.tasks.batches import SENTINELS
from tfcourse.text.tasks.filling import (
    another_source,
    blind_filling,
    filling_accuracy,
    held_out_spans,
    hidden_places,
    write_spans,
)
from tfcourse.tokenizers.characters import CharacterTokenizer

LETTERS = CharacterTokenizer.train(["abcdefgh"], SENTINELS)
TEXTS = ["abcabcabcabc" * 2, "defdefdefdef" * 2, "gh"]
EXAM = held_out_spans(LETTERS, TEXTS, length=20)


def test_only_whole_windows_enter_and_always_hidden_alike():
    assert len(EXAM[0]) == 2
    again = held_out_spans(LETTERS, TEXTS, length=20)
    assert all(torch.equal(a, b) for a, b in zip(EXAM, again, strict=True))


def test_only_hidden_tokens_count():
    """El 15 % de 20 son 3 por texto; ni centinelas, ni inicio, ni fin, ni relleno."""
    chosen = hidden_places(LETTERS, EXAM[2])
    assert chosen.sum(1).tolist() == [3, 3]
    assert all(len(LETTERS.tokens[int(token)]) == 1 for token in EXAM[2][chosen])


def test_accuracy_is_that_of_a_loop():
    torch.manual_seed(0)
    model = T5(T5Config(len(LETTERS))).eval()
    source, lengths, target = EXAM
    guesses = model(source, lengths, target[:, :-1]).argmax(-1)
    places = hidden_places(LETTERS, target)
    right = [
        int(guesses[row, column - 1] == target[row, column])
        for row, column in places.nonzero().tolist()
    ]
    assert filling_accuracy(model, LETTERS, EXAM) == sum(right) / len(right)


def test_what_it_writes_alone_is_its_most_likely_token():
    """Cada token escrito es el más probable tras los anteriores; el objetivo no se mira."""
    torch.manual_seed(0)
    model = T5(T5Config(len(LETTERS))).eval()
    source, lengths, _ = EXAM
    rows = write_spans(model, LETTERS, (source, lengths, EXAM[2] * 0), max_length=5)
    for place, row in enumerate(rows):
        read = source[place : place + 1, : lengths[place]], lengths[place : place + 1]
        written = [LETTERS.start_id]
        while len(written) <= 5 and written[-1] != LETTERS.stop_id:
            written.append(int(model(*read, torch.tensor([written]))[0, -1].argmax()))
        assert row == [token for token in written[1:] if token != LETTERS.stop_id]


def test_another_source_changes_only_what_is_read():
    source, lengths, target = another_source(EXAM)
    assert torch.equal(source[0], EXAM[0][1]) and int(lengths[0]) == int(EXAM[1][1])
    assert torch.equal(target, EXAM[2])


def test_blind_answers_by_hand():
    """Con «a» lo más frecuente y «ab» lo que más sigue, solo se acierta eso."""
    number = LETTERS.token_id
    mark, start, stop = number(SENTINELS[0]), LETTERS.start_id, LETTERS.stop_id
    target = torch.tensor([[start, mark, number("a"), number("b"), number("c"), stop]])
    common, previous = blind_filling(LETTERS, ["abaaab", "bca"], (target, target, target))
    assert (common, previous) == (1 / 3, 2 / 3)
