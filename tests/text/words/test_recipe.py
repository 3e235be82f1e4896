"""Cómo se entrenan los vectores, y el clasificador de temas."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tfcourse.datasets.text.articles import split_articles
from tfcourse.models.fasttext import SubwordSkipGram
from tfcourse.models.glove import GloVe, glove_loss
from tfcourse.models.word2vec import SkipGram, negative_sampling_loss
from tfcourse.text.words.neighbours import WordVectors
from tfcourse.text.words.recipe import RECIPES, batches, build, corpus, table_of, train
from tfcourse.text.words.topics import (
    LONGEST,
    PADDING,
    BagOfEmbeddings,
    as_bags,
    random_table,
    topic_accuracy,
    topic_names,
)
from tfcourse.training import Steps

KINDS = {"word2vec": SkipGram, "FastText": SubwordSkipGram, "GloVe": GloVe}


@pytest.mark.parametrize("kind", RECIPES)
def test_each_recipe_builds_its_model_and_feeds_it(kind):
    recipe = replace(RECIPES[kind], batch_size=32, width=4)
    model, batch = build(recipe, corpus().words), next(batches(recipe, 0, corpus()))
    assert type(model) is KINDS[kind] and len(batch[0]) == 32
    loss_fn = glove_loss if kind == "GloVe" else negative_sampling_loss
    assert torch.isfinite(loss_fn(model, batch))
    assert model.vectors().shape == (len(corpus()), 4)


def test_two_trainings_with_a_seed_agree_and_another_seed_differs():
    recipe = replace(RECIPES["word2vec"], width=4, batch_size=64)
    one, same, other = (table_of(train(recipe, s, Steps(2)).model).matrix for s in (0, 0, 1))
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_bags_are_numbers_of_known_words_and_topics():
    bags, labels = as_bags(split_articles()[1][:20])
    assert bags.shape[1] <= LONGEST and bags.max() <= len(corpus()) and bags.min() >= PADDING
    article = split_articles()[1][3]
    assert topic_names()[labels[3]] == article.topic
    first = corpus().words[bags[3, 0] - 1]
    assert first in article.text.lower()


def test_padding_does_not_count_and_only_a_learned_table_learns():
    model = BagOfEmbeddings(torch.randn(6, 3), 2, learn=False)
    short, long = torch.tensor([[1, 2]]), torch.tensor([[1, 2, PADDING, PADDING]])
    torch.testing.assert_close(model(short), model(long))
    assert not model.table.weight.requires_grad
    assert BagOfEmbeddings(torch.randn(6, 3), 2, learn=True).table.weight.requires_grad


def test_a_table_that_says_the_topic_is_enough():
    """Si cada palabra lleva escrito su tema, unas pocas etiquetas bastan."""
    topics, words = topic_names(), corpus().words
    table = WordVectors(words, np.eye(len(topics))[np.arange(len(words)) % len(topics)])
    labels = torch.arange(len(topics)).repeat(8)
    bags = torch.stack([labels + 1 + len(topics) * i for i in range(3)], dim=1), labels
    assert topic_accuracy(table, False, len(labels), bags, bags, steps=120) == 1.0
    assert random_table(4, 1).matrix.shape == (len(words), 4)
