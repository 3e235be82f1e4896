"""La receta de MMBT: de dónde parte, qué lee y que aprende."""

import pytest
import torch

from tests.multimodal.pictures.pairs import few_pairs
from tfcourse.multimodal.pictures.mmbt import (
    Recipe,
    build,
    group_accuracy,
    group_logits,
    train,
    words_only,
)
from tfcourse.text.bert.recipe import load as load_bert


def test_the_name_enters_mmbt_without_its_first_mark():
    _, tokenizer = load_bert("bert_espanol")
    pairs = few_pairs()
    tokens, lengths = words_only(pairs.tokens, pairs.lengths)
    first, last = tokenizer.token_id("[CLS]"), tokenizer.token_id("[SEP]")
    assert (pairs.tokens[:, 0] == first).all() and not (tokens == first).any()
    assert (tokens[torch.arange(len(tokens)), lengths - 1] == last).all()


def test_it_starts_from_the_course_bert():
    masked, _ = load_bert("bert_espanol")
    table, tower = masked.bert.embedding.table.weight, build(Recipe()).bert
    assert torch.equal(tower.embedding.table.weight, table)
    assert tower.embedding.table.weight is not table
    first, theirs = tower.blocks[0].state_dict(), masked.bert.blocks[0].state_dict()
    assert all(torch.equal(first[name], theirs[name]) for name in theirs)


@pytest.mark.lento
def test_it_learns_and_repeats():
    pairs, recipe = few_pairs(), Recipe(steps=25, batch_size=12)
    made, again = (train(recipe, 0, pairs=pairs) for _ in range(2))
    assert made.history.loss[-1] < made.history.loss[0]
    assert again.history.loss == made.history.loss
    logits = group_logits(made.model, pairs)
    right = (logits.argmax(1) == pairs.groups).float().mean()
    assert group_accuracy(made.model, pairs) == pytest.approx(float(right))
