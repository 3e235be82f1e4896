"""Embeddings: qué saben los vectores y cuándo ayuda una tabla preentrenada, con otras semillas."""

import numpy as np
import pytest

from tests.recipes import SEEDS, report
from tfcourse.datasets.text.analogies import CATEGORIES, analogy_questions
from tfcourse.datasets.text.articles import split_articles
from tfcourse.text.words.recipe import RECIPES, table_of, train
from tfcourse.text.words.topics import as_bags, random_table, topic_accuracy

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def tables():
    """Cada tabla se entrena una vez por semilla, la primera que se pide."""
    trained = {}

    def table(kind, seed):
        if (kind, seed) not in trained:
            trained[kind, seed] = table_of(train(RECIPES[kind], seed).model)
        return trained[kind, seed]

    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_share_a_category_far_more_than_by_chance(tables, seed):
    everyone = {kind: tables(kind, seed) for kind in RECIPES}
    everyone["al azar"] = random_table(RECIPES["word2vec"].width, seed)
    means = {
        kind: np.mean([table.category_precision(group) for group in CATEGORIES.values()])
        for kind, table in everyone.items()
    }
    row = ", ".join(f"{kind} {value:.1%}" for kind, value in means.items())
    report(seed, f"vecinas de su categoría: {row}")
    assert means["word2vec"] >= 0.3 and means["GloVe"] >= 0.28 and means["al azar"] < 0.03
    assert means["FastText"] < means["word2vec"] - 0.08


@pytest.mark.parametrize("seed", SEEDS)
def test_subwords_win_where_the_relation_is_spelt(tables, seed):
    right, near = {}, {}
    for kind in RECIPES:
        for relation in ("número", "capital"):
            questions = analogy_questions(relation)
            right[kind, relation] = tables(kind, seed).analogy_accuracy(questions)
            near[kind, relation] = tables(kind, seed).neighbour_accuracy(questions)
    row = ", ".join(f"{kind} {name} {value:.1%}" for (kind, name), value in right.items())
    report(seed, f"analogías: {row}; vecina en número, FastText {near['FastText', 'número']:.1%}")
    assert right["FastText", "número"] >= 0.65
    assert right["FastText", "número"] > right["word2vec", "número"] + 0.4
    assert near["FastText", "número"] > 0.5 * right["FastText", "número"]
    assert max(right[kind, "capital"] for kind in RECIPES) <= 0.06


@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_learned_with_the_task_wins_when_there_are_labels(tables, seed):
    bags = [as_bags(articles) for articles in split_articles()]
    starts = {
        "azar": random_table(RECIPES["word2vec"].width, seed),
        "word2vec": tables("word2vec", seed),
    }
    right = {
        (name, learn, n): topic_accuracy(table, learn, n, *bags, seed=seed)
        for name, table in starts.items()
        for learn in (False, True)
        for n in (50, len(bags[0][0]))
    }
    row = ", ".join(f"{key} {value:.1%}" for key, value in right.items())
    report(seed, f"temas: {row}")
    few, every = 50, len(bags[0][0])
    assert right["word2vec", False, every] > right["azar", False, every] + 0.1
    assert right["azar", True, every] > right["word2vec", False, every] + 0.15
    assert abs(right["azar", True, every] - right["word2vec", True, every]) < 0.025
    assert right["word2vec", True, few] > right["azar", True, few] - 0.02
