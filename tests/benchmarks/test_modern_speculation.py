"""La tabla de la especulación: está entera, y lo que se cronometra escribe lo que dice."""

import pytest
import torch

from benchmarks import modern_speculation as table
from tfcourse.models.ngrams import CountModel
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows():
    return load_results(table.NAME, table.settings())


def test_every_draft_has_three_seeds_and_its_passes():
    for name in table.NAMES:
        own = [row for row in rows() if row["name"] == name]
        assert {row["seed"] for row in own} == SEEDS and len(own) == 3, name
        for row in own:
            assert 1 <= row["per_pass"] <= table.SPEED["n_draft"] + 1


def test_both_ways_write_the_same_number_of_tokens():
    """De uno en uno y especulando: desde los mismos comienzos y con la misma longitud."""
    written = table.SPEED["written"]
    alone = table.one_by_one(table.prompts()[0], torch.Generator().manual_seed(0))
    guessed = table.speculated(table.drafts()["parejas"], 0)
    assert alone.shape == guessed[0].tokens.shape == (1, written)
    assert len(guessed) == table.SPEED["prompts"]
    assert table.SPEED["prompt"] + written <= table.target().model.config.max_length


@pytest.mark.parametrize("order", [2, 3])
def test_a_remembered_answer_is_the_one_that_would_be_calculated(order):
    ids = table.target().encode(table.spanish_corpus(table.TEST_CHARACTERS).train[: table.COUNTED])
    n_tokens = len(table.target().tokenizer)
    counter = CountModel(order, n_tokens, strength=1.0).fit(ids)
    read = table.counting_draft(order)
    for tokens in (table.prompts()[0], table.prompts()[1], table.prompts()[0]):
        windows = torch.cat(
            [tokens[:, 1 - order :].expand(n_tokens, -1), torch.arange(n_tokens)[:, None]], dim=1
        )
        torch.testing.assert_close(read(tokens)[0, -1].exp(), counter.probability(windows))
