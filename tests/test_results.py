"""Resultados guardados: nadie los cambia sin que se note, y son los de esta receta."""

import math
from functools import partial
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from tfcourse import results
from tfcourse.__main__ import app
from tfcourse.deep_recipes import (
    NORMS,
    OPTIMIZERS,
    WARMUPS,
    Recipe,
    all_recipes,
    deep_model,
    learns,
    run_recipes,
    settings,
)
from tfcourse.results import TABLES, load_results, save_results, table_module

ROWS = [
    {"norm": "Post-LN", "seed": 0, "loss": 0.123456},
    {"norm": "Ñ", "seed": 1, "loss": math.inf},
]


def test_round_trip(tmp_path):
    save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    rows = load_results("tabla", {"pasos": 3}, tmp_path)
    assert rows == [ROWS[0] | {"loss": 0.1235}, ROWS[1]]


def test_a_changed_number_is_noticed(tmp_path):
    path = save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("0.1235", "0.0235"), encoding="utf-8")
    with pytest.raises(ValueError, match="alguien ha cambiado un número"):
        load_results("tabla", {"pasos": 3}, tmp_path)


def test_another_recipe_is_noticed(tmp_path):
    save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    with pytest.raises(ValueError, match="otra receta .cambia pasos."):
        load_results("tabla", {"pasos": 4}, tmp_path)


def test_missing_results(tmp_path):
    with pytest.raises(FileNotFoundError, match="no hay resultados guardados con el nombre 'x'"):
        load_results("x", {}, tmp_path)


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_of_its_recipe(name):
    assert load_results(name, table_module(name).settings())


def test_the_command_that_measures_again_is_told(tmp_path):
    for name, command in (("t5_reparto", "tfcourse tablas t5_reparto"), ("x", "benchmarks.x")):
        save_results(name, {"pasos": 3}, ROWS, tmp_path)
        with pytest.raises(ValueError, match=f"python -m {command} --escribir"):
            load_results(name, {"pasos": 4}, tmp_path)


def test_a_table_is_measured_and_stored(tmp_path, monkeypatch):
    """Una fila por semilla, con la receta de su módulo; sin pedirlo, no se guarda."""
    measured = SimpleNamespace(
        settings=lambda: {"pasos": 3},
        measure=lambda seeds: ({"seed": s, "loss": s / 3} for s in seeds),
    )
    monkeypatch.setattr(results, "import_module", lambda module: measured)
    monkeypatch.setattr(results, "save_results", partial(save_results, folder=tmp_path))
    runner, order = CliRunner(), ["tablas", "t5_reparto", "--semillas", "2"]
    assert runner.invoke(app, order).output.splitlines() == ["0 0.0", f"1 {1 / 3}"]
    assert not list(tmp_path.iterdir())
    assert "guardado" in runner.invoke(app, [*order, "--escribir"]).output
    assert load_results("t5_reparto", {"pasos": 3}, tmp_path)[1] == {"seed": 1, "loss": 0.3333}


def test_tables_are_listed_and_an_unknown_one_is_told():
    listed = CliRunner().invoke(app, ["tablas"]).output
    assert all(name in listed for name in TABLES)
    with pytest.raises(ValueError, match="no hay ninguna tabla «otra»: usa recetas_profundas"):
        table_module("otra")


def test_the_stored_table_is_whole():
    rows = load_results("recetas_profundas", settings())
    found = {(row["norm"], row["warmup"], row["optimizer"], row["seed"]) for row in rows}
    assert len(found) == len(rows) == len(all_recipes()) * 3
    assert {row["norm"] for row in rows} == set(NORMS)
    assert {row["warmup"] for row in rows} == set(WARMUPS)
    assert {row["optimizer"] for row in rows} == set(OPTIMIZERS)


@pytest.mark.lento
@pytest.mark.parametrize("recipe", [Recipe("T-Fixup"), Recipe("Pre-LN", "exponencial", "RAdam")])
def test_a_row_is_measured_again(recipe):
    """Otra máquina no da los mismos decimales, pero sí el mismo veredicto."""
    rows = load_results("recetas_profundas", settings())
    (again,) = run_recipes([recipe], [1])
    (stored,) = (
        r for r in rows if all(r[k] == again[k] for k in ("norm", "warmup", "optimizer", "seed"))
    )
    assert learns(again["loss"]) == learns(stored["loss"])
    assert again["loss"] == pytest.approx(stored["loss"], abs=0.05)


@pytest.mark.parametrize("norm", NORMS)
def test_twelve_layers(norm):
    model = deep_model(norm)
    assert len(model.encoder) + len(model.decoder) == 12


@pytest.mark.parametrize(
    "bad", [("Media-LN",), ("Post-LN", "rápido"), ("Post-LN", "lineal", "SGD")]
)
def test_unknown_names(bad):
    with pytest.raises(ValueError, match="no se conoce: usa"):
        Recipe(*bad)
