"""La tabla de las reseñas está entera."""

from benchmarks.sentiment import NAME, settings
from tfcourse.stored.results import load_results
from tfcourse.text.sentiment.recipe import MODELS


def test_stored_table_is_of_this_recipe():
    rows = load_results(NAME, settings())
    assert {row["model"] for row in rows} == set(MODELS)
    assert len(rows) == 3 * len(settings()["sizes"]) * 2 * len(MODELS)
