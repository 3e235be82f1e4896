"""Cuántas etiquetas hacen falta: la tabla guardada está entera."""

from benchmarks.unlabelled_few_labels import NAME, PER_WORD
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    assert {row["per_word"] for row in rows} == set(PER_WORD)
    assert len(rows) == 4 * len(PER_WORD) * len({row["seed"] for row in rows})
