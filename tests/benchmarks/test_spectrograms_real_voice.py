"""Oír a una persona: la tabla guardada está entera."""

from statistics import mean

from benchmarks.spectrograms_real_voice import NAME, RECIPES
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * len(RECIPES) and len(seeds) >= 3
    for name in RECIPES:  # en media: en una semilla, unas bandas centradas oyen las diez
        own = [row for row in rows if row["training"] == name]
        assert mean(row["synthetic"] for row in own) > mean(row["real"] for row in own) + 0.1
    assert all(len(row["heard"].split()) == 10 for row in rows)
