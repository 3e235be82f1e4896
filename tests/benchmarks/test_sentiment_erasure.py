"""La prueba de borrado: está entera, y cada parte del examen tiene sus textos."""

import pytest

from benchmarks.sentiment_erasure import N_TEST, NAME, POINTERS, RECEIVED, settings
from tfcourse.stored.results import load_results
from tfcourse.text.sentiment.recipe import ATTENTION, CONVOLUTION

SEEDS, PARTS = 5, ("todas", "aciertos", "errores")


def test_the_stored_table_is_whole():
    found = {
        (row["model"], row["seed"], row["part"], row["pointer"]): row
        for row in load_results(NAME, settings())
    }
    assert len(found) == SEEDS * len(PARTS) * (2 * len(POINTERS) - 1)
    assert not any(model == CONVOLUTION and pointer == RECEIVED for model, _, _, pointer in found)


def test_the_whole_is_made_of_hits_and_mistakes():
    rows = {
        (row["model"], row["seed"], row["part"], row["pointer"]): row
        for row in load_results(NAME, settings())
    }
    for seed in range(SEEDS):
        for pointer in POINTERS:
            whole, *parts = (rows[ATTENTION, seed, part, pointer] for part in PARTS)
            assert whole["n"] == sum(row["n"] for row in parts) == N_TEST
            for key in ("drop", "flips"):
                total = sum(row["n"] * row[key] for row in parts) / N_TEST
                assert total == pytest.approx(whole[key], abs=1e-3)
