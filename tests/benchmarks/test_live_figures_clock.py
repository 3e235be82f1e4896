"""Lo que se espera en cada figura viva, en el reloj: la tabla es la de las figuras de ahora."""

import pytest

from benchmarks import live_figures as table
from benchmarks import live_figures_clock as clock
from tfcourse.stored.results import load_results


def test_the_clock_has_the_figures_of_today():
    rows = load_results(clock.NAME, clock.settings())
    assert [row["figure"] for row in rows] == list(table.FIGURES)
    assert all(len(row["milliseconds"]) == clock.REPEATS for row in rows)
    lines = clock.markdown(lambda value: f"{value:.2f}", rows).splitlines()
    assert lines[4].startswith(f"| `{rows[0]['weights']}` |") and len(lines) == 4 + len(rows)


def test_the_page_gives_the_middle_try_and_the_worst():
    row = {"weights": "uno", "milliseconds": [900, 100, 200, 1_500, 300]}
    assert clock.markdown(str, [row]).splitlines()[-1] == "| `uno` | 0.3 | 1.5 |"


@pytest.mark.lento
def test_the_clock_runs(browser):
    row = clock.measure_figure(browser, "gato", repeats=1)
    assert row["weights"] == "gato" and len(row["milliseconds"]) == 1
