"""Redes apiladas: la tabla entera, redes del mismo tamaño y una fila que se vuelve a medir."""

import pytest

from benchmarks.recurrent import NAME, RATES, WIDTHS, bits, settings, texts
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(row["layers"], row["rate"], row["seed"]) for row in rows}
    assert len(found) == len(rows) == len(WIDTHS) * len(RATES) * 3
    assert {row["layers"]: row["width"] for row in rows} == WIDTHS


def test_every_network_has_the_same_size():
    """Si apilar añadiera parámetros, no se sabría qué es lo que ayuda."""
    sizes = {row["parameters"] for row in load_results(NAME, settings())}
    assert max(sizes) < 1.005 * min(sizes)


def test_two_layers_beat_one_and_three_whatever_the_seed():
    rows = load_results(NAME, settings())
    for rate in RATES:
        bits = {
            layers: [r["bits"] for r in rows if (r["layers"], r["rate"]) == (layers, rate)]
            for layers in WIDTHS
        }
        assert max(bits[2]) < min(bits[1] + bits[3])


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí casi los mismos bits."""
    rows = load_results(NAME, settings())
    (row,) = (r for r in rows if (r["layers"], r["rate"], r["seed"]) == (2, max(RATES), 1))
    again = bits(row["layers"], row["rate"], row["seed"], *texts())
    assert again == pytest.approx(row["bits"], abs=0.03)
