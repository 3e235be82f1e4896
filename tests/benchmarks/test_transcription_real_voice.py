"""Oír a una persona que dicta: la tabla guardada está entera, y le cuesta más que las voces."""

from benchmarks.transcription_real_voice import NAME
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    assert len({row["seed"] for row in rows}) == len(rows) >= 3
    assert all(row["real"] > row["synthetic"] for row in rows)
    assert all(row["said"].count(" / ") == row["heard"].count(" / ") == 1 for row in rows)
