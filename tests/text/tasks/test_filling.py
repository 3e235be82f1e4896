"""El examen de los tramos: qué se cuenta, y lo que acierta quien no lee."""

import torch

from tfcourse.models.t5 import T5, T5Config
from tfcourse.text.tasks import filling
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


def test_marks_can_be_left_out_of_the_choice():
    """Con un centinela siempre delante, solo se acierta si no se puede elegir."""
    _, _, target = EXAM
    liked = torch.nn.functional.one_hot(target[:, 1:], len(LETTERS)).float()
    liked[..., LETTERS.token_id(SENTINELS[0])] = 2.0
    model = T5(T5Config(len(LETTERS)))
    model.forward = lambda source, lengths, read: liked[: len(source)]
    assert filling_accuracy(model, LETTERS, EXAM) == 0
    assert filling_accuracy(model, LETTERS, EXAM, only_text=True) == 1


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
    """Lo más frecuente es «a». Tras «ab» se ha visto «c»; tras «xb», nunca, y tras «b», sobre todo
    «a». El segundo tramo cuenta con lo escrito en el primero."""
    letters = CharacterTokenizer.train(["abcx"], SENTINELS)
    ids = {name: letters.token_id(name) for name in "abcx"}
    first, second, third = (letters.token_id(name) for name in SENTINELS[:3])
    start, stop = letters.start_id, letters.stop_id
    source = torch.tensor([[ids["a"], first, second, stop]])
    target = torch.tensor([[start, first, ids["b"], second, ids["c"], ids["a"], third, stop]])
    texts = ["aaaabc", "ba", "ba"]
    seen = [(list(before), wanted) for before, wanted in hidden_tokens(letters, source, target)]
    a, b, c = (ids[name] for name in "abc")
    assert seen == [([a], b), ([a, b], c), ([a, b, c], a)]
    batch = (source, torch.tensor([4]), target)
    # «b» tras «a»: se diría «a»; «c» tras «ab», bien; tras «bc» y tras «c» no hay nada, «a», bien.
    assert blind_filling(letters, texts, batch) == (1 / 3, 2 / 3)


def hidden_tokens(letters, source, target):
    """Los tokens tapados, con una copia de lo que llevan delante."""
    lengths = torch.tensor([source.shape[1]])
    found = filling._hidden_tokens(letters, (source, lengths, target))
    return [(list(before), wanted) for before, wanted in found]
