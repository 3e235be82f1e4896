"""Los vectores de palabras: la tabla guardada dice lo que cuenta la página, semilla a semilla."""

import numpy as np

from benchmarks.words import CHANCE, LABELS, NAME, exam, settings
from tfcourse.stored.results import load_results
from tfcourse.text.words.recipe import RECIPES
from tfcourse.text.words.topics import random_table

ROWS = load_results(NAME, settings())
SEEDS = sorted({row["seed"] for row in ROWS})


def found(column="value", **wanted):
    rows = [row for row in ROWS if wanted.items() <= row.items()]
    return np.array([np.mean([r[column] for r in rows if r["seed"] == seed]) for seed in SEEDS])


def topics(table, learn, labels):
    return found(what="temas", table=table, learn=learn, labels=labels)


def test_the_table_is_whole():
    assert len(SEEDS) == 5
    per_seed = len([*RECIPES, CHANCE]) * (10 + 4) + 2 * 2 * len(LABELS)
    assert len(ROWS) == len(SEEDS) * per_seed


def test_what_the_page_says_of_categories():
    means = {kind: found(what="categoría", table=kind) for kind in [*RECIPES, CHANCE]}
    assert (means["FastText"] < 0.6 * means["word2vec"]).all()
    assert means["word2vec"].min() < means["GloVe"].max()
    assert means["GloVe"].min() < means["word2vec"].max()
    for kind in RECIPES:
        for case in ("colores", "ciencias", "parentesco"):
            assert found(what="categoría", table=kind, case=case).mean() < 0.2
        for case in ("países", "gentilicios"):
            assert found(what="categoría", table=kind, case=case).mean() < 0.37
    for case in ("meses", "profesiones", "números", "puntos cardinales"):
        assert max(found(what="categoría", table=k, case=case).mean() for k in RECIPES) > 0.5


def test_what_the_page_says_of_analogies():
    def pair(kind, case):
        wanted = {"what": "analogía", "table": kind, "case": case}
        return found(**wanted), found("neighbour", **wanted)

    assert all(pair(kind, "capital")[0].mean() < 0.03 for kind in RECIPES)
    right, near = pair("FastText", "género")
    assert right.mean() < near.mean()
    for case in ("número", "gentilicio"):
        right, near = pair("FastText", case)
        assert (right > near).all()
    right, near = pair("FastText", "número")
    assert near.mean() > 0.5 * right.mean()


def test_what_the_page_says_of_topics():
    few, every = LABELS[0], LABELS[-1]
    for labels in LABELS:
        gap = topics("word2vec", False, labels) - topics(CHANCE, False, labels)
        assert (gap > 0.11).all() and (gap < 0.26).all()
    assert abs(topics("word2vec", False, every) - topics("word2vec", False, few)).mean() < 0.06
    first = topics("word2vec", False, few) - topics(CHANCE, True, few)
    assert (first > 0).sum() == 4
    for labels in LABELS[1:]:
        assert (topics(CHANCE, True, labels) > topics("word2vec", False, labels)).all()
    gain = topics("word2vec", True, few) - topics(CHANCE, True, few)
    assert (gain > 0).all() and gain.max() < 0.045
    assert (topics("word2vec", True, every) <= topics(CHANCE, True, every)).all()
    for labels in LABELS[1:3]:
        gain = topics("word2vec", True, labels) - topics(CHANCE, True, labels)
        assert gain.min() < 0 < gain.max()


def test_the_exam_of_a_table_that_knows_nothing():
    rows = list(exam(CHANCE, random_table(8), 3))
    assert len(rows) == 14 and all(row["value"] < 0.1 and row["seed"] == 3 for row in rows)
