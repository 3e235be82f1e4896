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


def test_the_gru_wins_by_little_and_the_lstm_does_not():
    """Lo que dice la página: en estos pasos, tener compuertas no basta para ganar."""
    simple = [row for row in load_results(SIMPLE) if row["layers"] == 1]
    rows = [row | {"cell": "rnn"} for row in simple] + load_results(NAME, settings())
    bits = {}
    for row in rows:
        bits.setdefault((row["cell"], row["rate"]), []).append(row["bits"])
    best_simple = min(min(values) for (cell, _), values in bits.items() if cell == "rnn")
    assert best_simple - 0.1 < max(bits["gru", 1e-2]) < best_simple
    assert min(bits["lstm", 1e-2]) > max(bits["rnn", 5e-3])


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí casi los mismos bits."""
    rows = load_results(NAME, settings())
    (row,) = (r for r in rows if (r["cell"], r["seed"]) == ("gru", 1))
    again = bits(row["cell"], row["rate"], row["seed"], *texts())
    assert again == pytest.approx(row["bits"], abs=0.03)
