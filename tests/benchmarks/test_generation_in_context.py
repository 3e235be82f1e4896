"""Copiar del contexto: con dos capas se copia lo que no se ha entrenado, y con una, no."""

from benchmarks import generation_in_context as table
from tfcourse.stored.results import load_results


def test_only_two_layers_copy_the_length_never_trained():
    rows = load_results(table.NAME, table.settings())
    assert {r["seed"] for r in rows} == {0, 1, 2}
    for row in rows:
        if row["period"] == table.UNSEEN:
            copied = row["second"] < row["first"] / 2
            assert copied == (row["layers"] == 2)


def test_the_measure_runs(monkeypatch):
    monkeypatch.setattr(table, "RECIPE", table.replace(table.RECIPE, steps=2, d_model=16))
    rows = list(table.measure([0]))
    assert [(r["layers"], r["period"]) for r in rows] == [(1, 6), (1, 8), (2, 6), (2, 8)]
    assert all(3 < r["first"] < 6 for r in rows)
