"""De las parejas de texto a los lotes, y de vuelta."""

from itertools import islice

import torch

from tfcourse.datasets.tasks.mixture import mixing_rates
from tfcourse.datasets.text.spans import restore
from tfcourse.models.t5 import T5, T5Config
from tfcourse.text.tasks.batches import SENTINELS, answer, span_batches, task_batches
from tfcourse.tokenizers.characters import CharacterTokenizer

PAIRS = {"plural": [("sol", "soles"), ("casa", "casas")], "cifras": [("uno", "1")]}
LETTERS = CharacterTokenizer.train(["plural: cifras: uno sol casa soles casas 1 y más"], SENTINELS)


def test_batches_carry_prefix_lengths_and_stop():
    rates = mixing_rates({name: len(pairs) for name, pairs in PAIRS.items()})
    batches = task_batches(LETTERS, PAIRS, rates, batch_size=4, seed=0)
    for source, lengths, target in islice(batches, 20):
        assert source.shape[0] == target.shape[0] == 4 and int(lengths.max()) == source.shape[1]
        for row, length, wanted in zip(source, lengths, target, strict=True):
            task, text = LETTERS.decode(row).split(": ")
            assert row[length - 1] == LETTERS.stop_id and not row[length:].any()
            assert (text, LETTERS.decode(wanted)) in PAIRS[task]
            assert wanted[0] == LETTERS.start_id and LETTERS.stop_id in wanted


def test_span_batches_hide_and_can_be_restored():
    text = "uno sol y más casas casas casas soles uno uno más"
    batches = span_batches(LETTERS, [text], batch_size=3, length=20, seed=0)
    marks = [LETTERS.token_id(name) for name in SENTINELS]
    for source, lengths, target in islice(batches, 10):
        for row, length, wanted in zip(source, lengths, target.tolist(), strict=True):
            written = wanted[1 : wanted.index(LETTERS.stop_id)]
            back = restore(row[: length - 1].tolist(), written, marks)
            assert len(back) == 20 and LETTERS.decode(back) in text


def test_answers_keep_the_order_of_the_questions():
    torch.manual_seed(0)
    model = T5(T5Config(len(LETTERS))).eval()
    texts = ["casas casas", "uno", "sol y casa"]
    together = answer(model, LETTERS, "plural", texts, max_length=5)
    assert together == [answer(model, LETTERS, "plural", [t], max_length=5)[0] for t in texts]
