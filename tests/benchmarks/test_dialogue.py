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


def every(name, key="todas", new=False):
    """Una medida de una manera, de cada semilla."""
    own = sorted((row["seed"], row) for row in rows() if row["name"] == name)
    return [(row["new"] if new else row)[key] for _, row in own]


def test_the_order_the_page_tells_holds_in_every_seed():
    blind, frozen, low_rank, whole = map(every, ("a ciegas", "congelado", "LoRA", "entero"))
    (told,) = every(table.TOLD)
    assert max(blind) < 0.33 < 0.7 < min(frozen)
    assert max(*frozen, *every(table.SPECIALIST)) < told < min(low_rank)
    assert all(some < more for some, more in zip(low_rank, whole, strict=True))
    assert min(min(every(name, kind)) for name in ("LoRA", "entero") for kind in KINDS) >= 0.9


def test_four_tokens_are_enough_and_one_loses_the_colour():
    one, four, many = (every(name) for name in ("1 token", "4 tokens", "64 tokens"))
    assert all(more > some for more, some in zip(four, every("entero"), strict=True))
    assert max(*one, *many) < min(every("entero"))
    assert max(every("1 token", "color")) < 0.4 and min(every("1 token", "cuántas")) == 1


def test_traps_deceive_whoever_looks():
    for name in ("congelado", "LoRA", "entero", table.SPECIALIST):
        with_trap, without = (every(name, f"se inventa, {way} trampa") for way in ("con", "sin"))
        assert all(more > some for more, some in zip(with_trap, without, strict=True)), name


def test_a_pair_never_seen_is_lost_in_the_tower_and_again_in_the_reading():
    assert min(every(table.DESCRIPTION, kind, new=True)[0] for kind in ("qué", "color")) > 0.9
    assert max(every(table.TOLD, kind, new=True)[0] for kind in ("qué", "color")) < 0.02
    assert max(every("LoRA", "color", new=True)) == 0
    assert min(every(table.OTHER_TOLD, kind, new=True)[0] for kind in ("qué", "color")) > 0.85
    assert min(every(table.OTHER, "qué", new=True)) > 0.5
    assert max(every(table.OTHER, "color", new=True)) < 0.25


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
