"""Resultados guardados: nadie los cambia sin que se note, y son los de esta receta."""

import math

import pytest

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
from tfcourse.results import load_results, save_results

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
