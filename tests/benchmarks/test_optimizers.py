"""Otro optimizador, otro ritmo y otra bajada: la tabla entera, y una fila que se vuelve a medir."""

import pytest

from benchmarks.optimizers import ENTRIES, NAME, run_entries, settings
from tfcourse.stored.results import load_results
from tfcourse.text.optimization.duel import Entry


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {tuple(row[key] for key in ("norm", "optimizer", "lr", "pace", "seed")) for row in rows}
    assert len(found) == len(rows) == len(ENTRIES) * 3


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí una pérdida parecida."""
    entry = Entry("Pre-LN", "Muon", 0.02, "un ciclo corto")
    (again,) = run_entries([entry], [1])
    (stored,) = (
        row for row in load_results(NAME, settings())
        if all(row[key] == again[key] for key in ("norm", "optimizer", "lr", "pace", "seed"))
    )  # fmt: skip
    assert again["loss"] == pytest.approx(stored["loss"], abs=0.08)
