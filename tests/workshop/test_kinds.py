"""La tabla de lo que piden los ejercicios sale de sus enunciados."""

import pytest

from tests.conftest import ROOT
from tests.exercises.test_statements import STATEMENTS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.asks import ASKS, asked
from workshop.kinds import BEGIN, END, check_kinds, kinds_table, with_table

KNOWN = {
    "basta-con-recortar": "mide",
    "lstm-con-fallos": "fallo",
    "gradiente-con-fuga": "deduce",
    "voraz-o-mejor": "predice",
    "cache-en-bytes": "calcula",
    "iou-media": "escribe",
}


@pytest.mark.parametrize(("name", "kind"), KNOWN.items())
def test_what_an_exercise_asks_for(name, kind):
    assert asked(EXERCISES[name].card, STATEMENTS[name][1]) == kind


def test_the_table_counts_every_exercise_once():
    total = kinds_table(ROOT).split("\n")[-1]
    assert sum(int(n) for n in total.split("|")[2:] if n.strip()) == len(EXERCISES)
    assert total.startswith("| **total** |") and total.count("|") == len(ASKS) + 2


def test_the_page_is_up_to_date():
    assert check_kinds(ROOT) == []


def test_a_page_without_its_place_is_reported():
    with pytest.raises(ValueError, match="falta el sitio"):
        with_table("una página", "una tabla")
    assert with_table(f"a {BEGIN} viejo {END} b", "T") == f"a {BEGIN}\n\nT\n\n{END} b"
