"""Las tablas: se descubren, son de la receta de ahora, se listan y se vuelven a medir."""

from functools import partial
from types import ModuleType

import pytest
from typer.testing import CliRunner

from benchmarks import registry
from benchmarks.__main__ import app
from benchmarks.registry import table_module, table_modules
from tfcourse.stored import results
from tfcourse.stored.results import FOLDER, load_results, save_results

TABLES = table_modules()


def test_every_stored_table_has_its_measure():
    assert set(TABLES) == {path.stem for path in FOLDER.glob("*.json")}


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_of_its_recipe(name):
    assert load_results(name, TABLES[name].settings())


def test_a_table_is_measured_and_stored(tmp_path, monkeypatch):
    """Una fila por semilla, con la receta de su módulo; sin pedirlo, no se guarda."""
    measured = ModuleType("una")
    measured.settings = lambda: {"pasos": 3}
    measured.measure = lambda seeds: ({"seed": s, "loss": s / 3} for s in seeds)
    monkeypatch.setattr(registry, "table_modules", lambda: {"una": measured})
    monkeypatch.setattr(results, "save_results", partial(save_results, folder=tmp_path))
    runner, order = CliRunner(), ["una", "--semillas", "2"]
    assert runner.invoke(app, order).output.splitlines() == ["0 0.0", f"1 {1 / 3}"]
    assert not list(tmp_path.iterdir())
    assert "guardado" in runner.invoke(app, [*order, "--escribir"]).output
    assert load_results("una", {"pasos": 3}, tmp_path)[1] == {"seed": 1, "loss": 0.3333}


def test_tables_are_listed_and_an_unknown_one_is_told():
    listed = CliRunner().invoke(app, []).output
    assert all(name in listed for name in TABLES)
    with pytest.raises(ValueError, match="no hay ninguna tabla «otra»: usa "):
        table_module("otra")
