"""Oír a una persona: la tabla guardada está entera."""

from benchmarks.spectrograms_real_voice import NAME, RECIPES
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * len(RECIPES) and len(seeds) >= 3
    assert all(row["synthetic"] > row["real"] for row in rows)
    assert all(len(row["heard"].split()) == 10 for row in rows)
