"""El ritmo de cada núcleo: la tabla está entera, dice lo que se sabe y se mide fila a fila."""

from itertools import islice

from benchmarks.efficient import LENGTHS, NAME, measure, settings
from tfcourse.stored.results import equal_time_steps, load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * len(LENGTHS) * len(settings()["kernels"])
    assert all(row["steps"] > 0 for row in rows)


def test_longer_sequences_cost_more_and_the_quadratic_ones_most():
    rows = load_results(NAME, settings())
    short, long = (
        equal_time_steps([row for row in rows if row["length"] == n], "kernel", "FNet", 1000)
        for n in LENGTHS
    )
    # Frente a uno que crece como L log L, la atención exacta pierde terreno con la longitud.
    assert long["fusionada"] < short["fusionada"] < 1000


def test_it_is_measured_kernel_by_kernel(fake_clock):
    rows = list(islice(measure([3], repeats=1), 2))
    assert [row["kernel"] for row in rows] == settings()["kernels"][:2]
    assert all(row["length"] == LENGTHS[0] and row["seed"] == 3 for row in rows)
    assert [row["steps"] for row in rows] == [round(60 / fake_clock.tick)] * 2
