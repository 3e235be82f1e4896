"""La tabla de los dibujos: está entera, es de estas recetas y se vuelve a medir."""

import pytest

from benchmarks import flow as table
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}
NUMBERS = ("agreement", "diversity", "distance", "copied", "frechet")


def rows():
    return load_results(table.NAME, table.settings())


def test_every_way_has_three_seeds():
    for name in (*table.RECIPES, *table.SHORT):
        ways = table.WAYS if name == "DiT" else (table.Way(),)
        for way in ways:
            own = [row for row in rows() if row["name"] == name and way == drawn_as(row)]
            assert {row["seed"] for row in own} == SEEDS and len(own) == 3, (name, way)
    assert {row["name"] for row in rows()} >= set(table.CONTROLS)


def drawn_as(row):
    """La manera de dibujar de una fila, si la tiene."""
    return tuple(row.get(key) for key in ("solver", "n_steps", "guidance"))


def test_the_controls_are_measured_again():
    stored = {row["name"]: row for row in rows() if row["name"] in table.CONTROLS}
    for row in table.controls():
        for key in NUMBERS:
            assert row[key] == pytest.approx(stored[row["name"]][key], abs=0.02), (row, key)


def test_a_copyist_is_caught_and_the_mean_has_no_variety():
    stored = {row["name"]: row for row in rows() if row["name"] in table.CONTROLS}
    assert stored["copista"]["copied"] == 1 and stored["velocidad exacta"]["copied"] > 0.95
    assert stored["media de la clase"]["diversity"] < 1e-3
    assert stored["reservadas"]["copied"] < 0.06 and stored["reservadas"]["frechet"] < 1e-3


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: cinco pasos."""
    (again,) = table.run("corta", 0)
    (stored,) = [row for row in rows() if (row["name"], row["seed"]) == ("corta", 0)]
    for key in ("agreement", "copied"):
        assert again[key] == pytest.approx(stored[key], abs=0.1)
    assert again["loss"] == pytest.approx(stored["loss"], abs=0.05)
