"""Bits por carácter a igual tiempo: lo guardado cumple lo prometido, y la medida corre."""

from benchmarks import generation_corpus as table
from tfcourse.datasets.text.articles import Corpus, spanish_corpus
from tfcourse.stored.results import load_results


def test_our_recipe_beats_the_baseline_at_equal_time():
    rows = load_results(table.NAME, table.settings())
    assert table.ratio(rows) <= 0.80
    assert set(table.averages(rows)) == {
        *table.RECIPES,
        table.RECURRENT,
    }
    assert len({row["seed"] for row in rows}) >= 2
    assert all(abs(row["seconds"] - table.SECONDS) < 3 for row in rows)


def test_the_measures_run(fake_clock):
    corpus = Corpus(spanish_corpus().train[:20_000], spanish_corpus(3_000).test)
    rows = [
        table.run_recipe(table.BASELINE, corpus, 0.15, seed=0),
        table.run_recipe("sin BPE", corpus, 0.15, seed=0),
        table.run_recurrent(corpus, 0.15, seed=0),
    ]
    assert all(2 < row["bits"] < 8 and row["steps"] > 0 for row in rows)
    assert [set(row) for row in rows] == [set(rows[0])] * 3
