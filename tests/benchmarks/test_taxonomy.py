"""La taxonomía: la tabla entera y una fila que se vuelve a medir."""

import pytest

from benchmarks.taxonomy import (
    NAME,
    SCORES,
    card_recipes,
    search_curve,
    settings,
    windows,
)
from tfcourse.stored.results import load_results
from tfcourse.text.taxonomy.cards import search_recipe
from tfcourse.text.taxonomy.recipe import train
from tfcourse.training import Steps

SEEDS = 5


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    expected = {
        (task, name, half_width)
        for task in ("listas", "fechas")
        for name, half_width in windows(task)
    } | {(part, name, None) for part, name in card_recipes()}
    found = {(row["part"], row["name"], row.get("half_width"), row["seed"]) for row in rows}
    assert found == {(*key, seed) for key in expected for seed in range(SEEDS)}
    assert len(found) == len(rows)


def test_every_experiment_has_its_measure():
    assert {part for part, _ in card_recipes()} == {*SCORES, "buscar"}


def test_what_is_measured_fits_its_columns():
    rows = load_results(NAME, settings())
    for (part, name), recipe in card_recipes().items():
        stored = next(row for row in rows if (row["part"], row["name"]) == (part, name))
        if part != "buscar":
            measured = SCORES[part](train(recipe, 0, Steps(1)).model)
            assert {"part", "name", "seed", *measured} == set(stored)
            assert all(0 <= value <= 1 for value in measured.values())


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí casi los mismos aciertos."""
    rows = load_results(NAME, settings())
    (row,) = (r for r in rows if (r["part"], r["name"], r["seed"]) == ("buscar", "suave", 1))
    assert search_curve(search_recipe("suave"), 1)["area"] == pytest.approx(row["area"], abs=0.1)
