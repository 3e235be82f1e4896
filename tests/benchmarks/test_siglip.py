"""CLIP contra SigLIP: la tabla está entera, compara lo que dice y se vuelve a medir."""

import pytest

from benchmarks.siglip import NAME, RUNS, SHORT, run, settings
from tfcourse.stored.results import load_results


def test_the_table_is_whole_and_only_the_loss_changes():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 3
    for seed in seeds:
        own = [(r["loss"], r["batch"], r["steps"]) for r in rows if r["seed"] == seed]
        assert own == [(loss, recipe.batch_size, recipe.steps) for loss, recipe in RUNS]
    sizes = {loss: {r["parameters"] for r in rows if r["loss"] == loss} for loss, _ in RUNS}
    assert {size + 1 for size in sizes["CLIP"]} == sizes["SigLIP"]  # el sesgo


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    again = run("SigLIP", SHORT, 0)
    (stored,) = [
        row for row in load_results(NAME) if (row["steps"], row["seed"]) == (SHORT.steps, 0)
    ]
    for key, value in stored.items():
        assert again[key] == pytest.approx(value, abs=0.02), key
