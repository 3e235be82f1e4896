"""A igual texto: la tabla guardada tiene tres semillas y dice lo que la página cuenta de ella."""

from statistics import mean

from benchmarks import generation_equal_text as table
from tfcourse.stored.results import load_results


def bits(rows, name, equal):
    return [r["bits"] for r in rows if (r["recipe"], r["equal"]) == (name, equal)]


def test_every_recipe_has_three_seeds():
    rows = load_results(table.NAME, table.settings())
    for name in (*table.RECIPES, table.RECURRENT):
        assert {r["seed"] for r in rows if r["recipe"] == name} >= {0, 1, 2}, name
    assert len([r for r in rows if r["recipe"] == table.COUNTING]) == 2


def test_all_read_the_same():
    rows = load_results(table.NAME, table.settings())
    assert {r["tokens"] for r in rows if r["equal"] == "tokens"} == {table.TOKENS}
    same_text = {r["characters"] for r in rows if r["equal"] == "caracteres"}
    ours = {r["characters"] for r in rows if r["recipe"] == table.CHOSEN}
    assert len(same_text) == 2 and ours < same_text  # el de todas y el texto entero


def test_the_bpe_recipe_is_ahead_of_the_baseline_in_both_races():
    rows = load_results(table.NAME, table.settings())
    ours = mean(bits(rows, table.CHOSEN, "tokens"))
    for equal in ("tokens", "caracteres"):
        assert ours < min(bits(rows, table.BASELINE, equal))


def test_the_measures_run():
    rows = list(table.measure([0], tokens=2_500, test_characters=1_000))
    names = {(r["recipe"], r["equal"]) for r in rows}
    assert len(names) == len(table.RECIPES) + 1 + len(table.BY_CHARACTERS) + 1
    assert all(1 < r["bits"] < 8 for r in rows) and {len(r) for r in rows} == {7}
