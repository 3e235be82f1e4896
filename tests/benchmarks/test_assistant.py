"""La tabla del asistente: está entera, es de estas recetas y se vuelve a medir."""

import pytest

from benchmarks import assistant as table
from tfcourse.datasets.tasks.instructions import KINDS
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows():
    return load_results(table.NAME, table.settings())


def test_every_row_has_three_seeds_and_all_the_instructions():
    for name in table.names():
        own = [row for row in rows() if row["name"] == name]
        assert {row["seed"] for row in own} == SEEDS and len(own) == 3, name
        for row in own:
            for side in ("hits", "reserved"):
                assert set(row[side]) == set(KINDS), name
                assert {len(digits) for digits in row[side].values()} <= {table.N_PER_KIND, 60}
            right, said, due = row["refusals"]
            assert right <= said and right == row["hits"]["no consta"].count("1")
            assert due == len(row["hits"]["no consta"])


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_what_is_not_tuned_is_measured_again():
    stored = {row["name"]: row for row in rows()}
    for row in table.untuned():
        if row["name"] in ("la más común", "antes de afinar"):
            assert row == stored[row["name"]]


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: cinco pasos de SFT."""
    again = table.run("corta", 0)
    (stored,) = [row for row in rows() if (row["name"], row["seed"]) == ("corta", 0)]
    assert again["bits"] == pytest.approx(stored["bits"], abs=0.05)
    for kind, digits in stored["hits"].items():
        assert abs(again["hits"][kind].count("1") - digits.count("1")) <= 6, kind
