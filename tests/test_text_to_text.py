"""De las parejas de texto a los lotes, y de lo que escribe el modelo a las notas."""

from itertools import islice

import pytest
import torch

from tfcourse.datasets.spans import restore
from tfcourse.datasets.tasks.mixture import TaskData, mixing_rates
from tfcourse.models.t5 import T5, T5Config
from tfcourse.parameter_scale import scaled_groups
from tfcourse.results import load_results
from tfcourse.task_comparison import STORED, TASKS, settings
from tfcourse.task_recipes import (
    score,
    shipped_config,
    shipped_tokenizer,
    task_tokenizer,
    trivial_answer,
)
from tfcourse.text_to_text import SENTINELS, answer, span_batches, task_batches
from tfcourse.timed import train_for, warmup_cosine
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


def test_scales_by_hand():
    small, big = torch.full((3, 3), 0.02), torch.ones(5)
    groups = scaled_groups([small, big, torch.full((2,), 0.02), torch.zeros(2)], lr=0.1)
    rates = {len(group["params"]): 0 for group in groups}
    assert [round(group["lr"], 6) for group in groups] == [0.002, 0.1, 0.0001]
    assert [len(group["params"]) for group in groups] == [2, 1, 1] and rates
    with pytest.raises(ValueError, match="lr=0: tiene que ser positivo"):
        scaled_groups([big], 0)


def test_time_is_what_is_spent():
    model = torch.nn.Linear(2, 1)
    batches = iter([(torch.ones(4, 2),)] * 100_000)
    history = train_for(
        0.05, model, batches, lambda m, b: m(b[0]).square().mean(),
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1), schedule=warmup_cosine(),
    )  # fmt: skip
    assert 0.05 <= history.seconds < 0.5 and history.loss[-1] < history.loss[0]


def test_trivial_answers():
    assert trivial_answer("plural", [])("sol") == "sols"
    assert trivial_answer("corrige", [])("nacion") == "nacion"
    assert trivial_answer("tema", [("a", "x"), ("b", "y"), ("c", "y")])("z") == "y"
    parts = [("a", "0,10"), ("b", "0,40"), ("c", "0,90")]
    assert trivial_answer("fecha", parts)("z") == "0,40"
    assert score(["sol"], ["sol"]) == {"exacta": 1.0, "CER": 0.0, "chrF": pytest.approx(1.0)}


def test_the_tokenizer_is_trained_on_both_sides():
    data = TaskData([("canción larga", "canciones")] * 40, [])
    tokenizer = task_tokenizer({"plural": data}, n_tokens=80)
    assert tokenizer.decode(tokenizer.encode("plural: canciones")) == "plural: canciones"
    assert [tokenizer.token_id(name) for name in SENTINELS] == list(range(4, 24))


def test_the_stored_table_is_whole():
    rows = load_results(STORED, settings())
    sharing = [row for row in rows if row["experiment"] == "reparto"]
    seeds = {row["seed"] for row in rows}
    assert {(r["recipe"], r["task"], r["seed"]) for r in sharing} == {
        (recipe, task, seed)
        for recipe in ("una para todas", "una por tarea")
        for task in TASKS
        for seed in seeds
    }


def test_the_shipped_box_opens():
    assert shipped_config().n_tokens == len(shipped_tokenizer())
