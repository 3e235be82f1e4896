"""La tabla de las conversaciones: está entera, es de estas recetas y se vuelve a medir."""

import pytest

from benchmarks import dialogue as table
from tfcourse.datasets.scenes.asked_scenes import KINDS
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows():
    return load_results(table.NAME, table.settings())


def test_every_way_has_three_seeds():
    for name in (*table.RECIPES, table.SPECIALIST, *table.SHORT):
        own = [row for row in rows() if row["name"] == name]
        assert {row["seed"] for row in own} == SEEDS and len(own) == 3, name
    assert {row["name"] for row in rows()} >= set(table.CONTROLS)


def check_again(again):
    (stored,) = [row for row in rows() if row["name"] == again["name"]]
    for kind in KINDS:
        assert again[kind] == pytest.approx(stored[kind], abs=0.02), (again["name"], kind)
        assert again["new"][kind] == pytest.approx(stored["new"][kind], abs=0.02)


def test_the_controls_are_measured_again():
    for name in table.CONTROLS:
        if name != table.OTHER_TOLD:  # esa hay que entrenarla
            check_again(table.control(name))


def test_whoever_does_not_look_is_below_whoever_does():
    def mean(name):
        values = [row["todas"] for row in rows() if row["name"] == name]
        return sum(values) / len(values)

    assert mean("a ciegas") < mean("entero") - 0.1
    assert mean(table.MAJORITY) < mean("entero") - 0.1


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: cinco pasos."""
    again = table.run("corta", 0)
    (stored,) = [row for row in rows() if (row["name"], row["seed"]) == ("corta", 0)]
    assert again["todas"] == pytest.approx(stored["todas"], abs=0.1)
    assert again["loss"] == pytest.approx(stored["loss"], abs=0.1)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_the_other_tower_is_trained_again():
    check_again(table.control(table.OTHER_TOLD))
