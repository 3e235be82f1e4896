"""La tabla de las críticas de cine está entera."""

from benchmarks.sentiment_films import NAME, settings
from tfcourse.stored.results import load_results


def test_stored_english_table_is_of_this_recipe():
    recipe = settings()
    rows = load_results(NAME, recipe)
    assert len(rows) == 3 * (1 + len(recipe["sizes"]) * (1 + len(recipe["recipes"])))
