"""La carrera de los núcleos: la tabla es de esta receta, está entera y se mide fila a fila."""

from benchmarks.efficient_race import NAME, RACERS, TIMES, fair_steps, race, settings
from tfcourse.stored.results import load_results
from tfcourse.text.efficient.recipe import EDGES


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * len(RACERS) * len(TIMES) and len(seeds) >= 3
    steps = fair_steps()
    assert all(row["steps"] == row["times"] * steps[row["kernel"]] for row in rows)


def test_a_row_says_how_far_it_sees():
    row = race("FNet", 1, steps=1, seed=3)
    assert row["kernel"] == "FNet" and row["steps"] == 1
    shares = [row[name] for name in ("total", "near", "far", "trivial")]
    assert all(0 <= share <= 1 for share in shares)
    assert [name for name in row if name.startswith("hasta")] == [f"hasta_{e}" for e in EDGES[1:]]
