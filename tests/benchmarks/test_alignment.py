"""Las once y los repartos: la tabla entera, lo que no depende del azar y una fila repetida."""

import pytest

from benchmarks.alignment import (
    AS_BORN,
    FACTORS,
    FEW,
    MANY,
    NAME,
    ROOT,
    as_born,
    settings,
    shared_out,
)
from tfcourse.stored.results import load_results
from tfcourse.text.alignment.contenders import ALIGNMENTS, DISTRIBUTIONS

SEEDS = 5


def rows_of(part):
    return [row for row in load_results(NAME, settings()) if row["part"] == part]


def test_the_stored_table_is_whole():
    sizes = {
        "once": len(AS_BORN) * 2 * SEEDS,
        "igualadas": len(ALIGNMENTS) * SEEDS,
        "repartos": len(DISTRIBUTIONS) * len(FACTORS) * SEEDS,
    }
    for part, size in sizes.items():
        rows = rows_of(part)
        found = {(row["name"], row["steps"], row["factor"], row["seed"]) for row in rows}
        assert len(found) == len(rows) == size
    assert {row["steps"] for row in rows_of("once")} == {FEW, MANY}


def test_equalised_spreads_are_those_of_the_root():
    born = {
        row["seed"]: row["spread"]
        for row in rows_of("once")
        if (row["name"], row["steps"]) == (ROOT, FEW)
    }
    for row in rows_of("igualadas"):
        assert row["spread"] == pytest.approx(born[row["seed"]], rel=1e-3)


def test_the_scaled_product_without_its_divisor_is_the_product():
    """Misma semilla y misma cuenta: no se parecen, son iguales."""
    found = {(row["name"], row["seed"]): row["hits"] for row in rows_of("igualadas")}
    for seed in range(SEEDS):
        assert found["escalado", seed] == found["producto", seed]


def test_shares_that_add_up_to_one():
    for row in rows_of("repartos"):
        adds_up = row["name"] in ("softmax", "1,5-entmax", "sparsemax")
        assert (abs(row["least"] - 1) < 1e-3 and abs(row["most"] - 1) < 1e-3) == adds_up


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí casi los mismos aciertos."""
    for measure, part in ((as_born, "once"), (shared_out, "repartos")):
        again = next(measure([0]))
        (row,) = (
            row
            for row in rows_of(part)
            if all(row[key] == again[key] for key in ("name", "steps", "factor", "seed"))
        )
        assert again["hits"] == pytest.approx(row["hits"], abs=0.25)
