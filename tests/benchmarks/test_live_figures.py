"""Lo que tardan las figuras vivas: la tabla es la de las figuras de ahora, y la medida corre."""

import pytest

from benchmarks import live_figures as table
from tfcourse.stored.results import load_results
from tfcourse.weights.packing import packed_weights

MILLISECONDS = 1000  # lo que se espera una primera respuesta, en un equipo cuatro veces más lento
MEGABYTES = 10


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    return load_results(table.NAME, table.settings())


def test_the_table_has_the_figures_of_today(rows):
    assert [row["figure"] for row in rows] == list(table.FIGURES)
    for row in rows:
        state = table.stored_figure(row["figure"])["state"]
        assert row["weights"] == state["weights"]
        assert row["kilobytes"] == round(len(packed_weights(row["weights"])) / 1000)
    assert sum(row["kilobytes"] for row in rows) < 1000 * MEGABYTES


def test_the_kernel_pays_off(rows):
    """Ninguna primera respuesta se hace esperar, y donde más se multiplica más se gana."""
    assert all(row["first SIMD"] < MILLISECONDS for row in rows)
    slow, fast = (sum(row[f"next {name}"] for row in rows) for name in ("JavaScript", "SIMD"))
    assert slow > 1.3 * fast


def test_the_page_has_a_row_per_figure(rows):
    lines = table.markdown(lambda value: f"{value:.2f}", rows).splitlines()
    assert len(lines) == 4 + len(rows)
    assert all(f"`{row['weights']}`" in line for row, line in zip(rows, lines[4:], strict=True))


@pytest.mark.lento
def test_the_measure_runs(browser):
    row = table.measure_figure(browser, "gato", repeats=1)
    assert row["weights"] == "gato"
    assert {f"{what} {name}" for what in ("first", "next") for name in table.PATHS} < row.keys()
