"""Tokenización: qué saben los vectores de palabras y por qué la tabla se aprende con la tarea."""

import numpy as np
import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def embeddings():
    return recipe("2_transformer/tokenizacion.ipynb")


@pytest.fixture(scope="module")
def tables(embeddings):
    """Cada tabla se entrena una vez por semilla, la primera que se pide."""
    trained = {}

    def table(kind, seed):
        if (kind, seed) not in trained:
            trained[kind, seed] = embeddings["train_vectors"](kind, seed)[1]
        return trained[kind, seed]

    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbours_share_a_category_far_more_than_by_chance(embeddings, tables, seed):
    means = {
        kind: np.mean(list(embeddings["category_scores"](tables(kind, seed)).values()))
        for kind in ("word2vec", "GloVe", "FastText")
    }
    chance = np.mean(list(embeddings["category_scores"](embeddings["random_table"](seed)).values()))
    row = ", ".join(f"{kind} {value:.1%}" for kind, value in means.items())
    report(seed, f"vecinas de su categoría: {row}, al azar {chance:.1%}")
    assert means["word2vec"] >= 0.3 and means["GloVe"] >= 0.25 and chance < 0.03
    assert means["FastText"] < means["word2vec"]


@pytest.mark.parametrize("seed", SEEDS)
def test_subwords_win_where_the_relation_is_spelt(embeddings, tables, seed):
    scores = {
        kind: embeddings["analogy_scores"](tables(kind, seed)) for kind in embeddings["STEPS"]
    }
    for kind, rows in scores.items():
        row = ", ".join(f"{name} {a:.1%} ({n:.1%})" for name, (a, n) in rows.items())
        report(seed, f"analogías (y solo la vecina), {kind}: {row}")
    assert scores["FastText"]["número"][0] >= 0.5
    assert scores["FastText"]["número"][0] > scores["word2vec"]["número"][0] + 0.2
    assert scores["word2vec"]["capital"][0] <= 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_learned_with_the_task_beats_a_fixed_one(embeddings, tables, seed):
    train, test = embeddings["topic_train"], embeddings["topic_test"]
    padded, n_labels = embeddings["padded"], len(train[0])
    noise, word2vec = embeddings["random_table"](seed), tables("word2vec", seed)
    options = {"n_labels": n_labels, "train": train, "test": test, "seed": seed}
    right = {
        name: embeddings["topic_accuracy"](padded(table.matrix), learn=learn, **options)
        for name, table, learn in (
            ("al azar, fija", noise, False),
            ("word2vec, fija", word2vec, False),
            ("al azar, aprendida", noise, True),
        )
    }
    row = ", ".join(f"{name} {value:.1%}" for name, value in right.items())
    report(seed, f"temas: {row}")
    assert right["al azar, aprendida"] >= 0.8
    assert right["al azar, aprendida"] > right["word2vec, fija"] + 0.05
    assert right["word2vec, fija"] > right["al azar, fija"] + 0.1
