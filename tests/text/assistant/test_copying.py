"""Repetir: lo que se le enseña, con qué palabras, y cuánto cuesta después."""

import json
import random
import re
from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.datasets.tasks.instruction_words import shared_words
from tfcourse.text.assistant.copying import (
    COPIES,
    START,
    batches,
    invented,
    load,
    repeat_costs,
    repeated_list,
    train,
)
from tfcourse.text.generation.recipe import load as load_gpt
from tfcourse.training.budget import Steps
from tfcourse.weights.shipped import weights_card

SMALL = replace(COPIES, n_texts=1, n_lists=2, length=64, max_words=3)


def test_a_list_is_told_four_times_with_the_same_words():
    rng, words = random.Random(0), shared_words()["entrenar"]["words"]
    for _ in range(50):
        turns = [turn.strip() for turn in repeated_list(words, rng).rstrip(".").split(". ")]
        counts = {tuple(sorted(turn.replace(",", "").replace(";", "").split())) for turn in turns}
        assert len(turns) == 4 and len(counts) == 1, turns


def test_an_invented_word_is_half_of_one_and_half_of_another():
    assert invented(["casas"], random.Random(0)) == "casas"
    assert invented(["abcd", "wxyz"], random.Random(1)) in {"abcd", "abyz", "wxcd", "wxyz"}


def test_the_batches_have_text_above_and_lists_below():
    start = load_gpt(START)
    (tokens,) = next(batches(SMALL, 0, start))
    assert tokens.shape == (3, 65)
    for row in tokens[1:]:
        first, second, *_ = start.tokenizer.decode(row).split(". ")
        assert sorted(re.findall(r"\w+", first)) == sorted(re.findall(r"\w+", second))


def test_it_trains_from_the_gpt_of_the_course():
    done, start = train(SMALL, 0, Steps(1)), load_gpt(START).model.state_dict()
    assert len(done.history.loss) == 1
    assert any(not value.equal(start[key]) for key, value in done.model.state_dict().items())


def test_who_knows_nothing_of_the_list_pays_the_same_twice():
    """Un modelo que no mira atrás cuesta lo mismo las dos veces; el de los pesos, mucho menos."""
    start, copier = load_gpt(START), load("gpt_copia")

    class Blind(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.logits = torch.nn.Parameter(torch.zeros(1024))

        def forward(self, tokens):
            return self.logits.expand(*tokens.shape, -1)

    first, second = repeat_costs(Blind(), start.tokenizer, n=5)
    assert first == pytest.approx(second) == pytest.approx(6.9315, abs=1e-3)
    first, second = repeat_costs(copier.model, start.tokenizer, n=10)
    assert second < first / 3


def test_the_card_is_that_of_the_recipe():
    card = weights_card("gpt_copia")
    assert card.recipe == json.loads(json.dumps(asdict(COPIES)))
    assert card.quality["nats_al_repetir"] < card.quality["nats_al_repetir_antes"] / 3
    with pytest.raises(ValueError, match="aquí no hay pesos «asistente»"):
        load("asistente")
