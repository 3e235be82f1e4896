"""Las tres celdas como modelo de lenguaje: la tabla entera, del mismo tamaño, y lo que dice."""

import pytest

from benchmarks.gates import NAME, RATES, WIDTHS, bits, settings, texts
from benchmarks.recurrent import NAME as SIMPLE
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(row["cell"], row["rate"], row["seed"]) for row in rows}
    assert len(found) == len(rows) == len(WIDTHS) * len(RATES) * 3
    assert {row["cell"]: row["width"] for row in rows} == WIDTHS


def test_every_network_has_the_same_size():
    """Con las mismas unidades, la LSTM tendría el triple de parámetros en la celda."""
    one_layer = [row for row in load_results(SIMPLE) if row["layers"] == 1]
    sizes = {row["parameters"] for row in [*load_results(NAME, settings()), *one_layer]}
    assert max(sizes) < 1.006 * min(sizes)


@pytest.mark.lento
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí casi los mismos bits."""
    rows = load_results(NAME, settings())
    (row,) = (r for r in rows if (r["cell"], r["seed"]) == ("gru", 1))
    again = bits(row["cell"], row["rate"], row["seed"], *texts())
    assert again == pytest.approx(row["bits"], abs=0.03)
