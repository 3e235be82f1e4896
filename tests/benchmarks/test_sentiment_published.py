"""La tabla de E5 está entera, y la C se elige con lo que no se ajusta."""

from itertools import product

import torch

from benchmarks import sentiment_published as table
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.stored.results import load_results


def test_stored_table_is_of_this_recipe():
    rows = load_results(table.NAME, table.settings())
    for texts, sizes in ((table.REVIEWS, table.SIZES), (table.FILMS, table.FILM_SIZES)):
        own = [row for row in rows if row["texts"] == texts]
        assert {(row["size"], row["seed"]) for row in own} == set(product(sizes, range(3)))
        assert all(("ironía" in row) == (texts == table.REVIEWS) for row in own)
    assert all(row["strength"] in table.STRENGTHS for row in rows)


def test_the_strength_is_the_one_that_hits_more_in_what_was_kept_apart(monkeypatch):
    tried = []

    class Told(LogisticRegression):
        """Una regresión de mentira que solo acierta con una C, y apunta con cuánto se ajusta."""

        def __init__(self, strength):
            self.strength = strength

        def fit(self, x, y, n_classes):
            tried.append((self.strength, len(x)))
            return self

        def logits(self, x):
            return torch.nn.functional.one_hot(torch.full((len(x),), int(self.strength == 10.0)), 2)

    monkeypatch.setattr(table, "LogisticRegression", Told)
    model = table.best_regression(torch.zeros(10, 3), torch.ones(10, dtype=torch.long), 2)
    assert model.strength == 10.0
    assert tried == [*((strength, 8) for strength in table.STRENGTHS), (10.0, 10)]
