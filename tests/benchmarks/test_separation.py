"""Qué hace falta para separar: cada fila cambia una cosa, y la tabla guardada está entera."""

from benchmarks.separation import BASE, IDEAL, NAME, NOTHING, RECIPES
from tfcourse.stored.results import load_results


def test_each_row_of_the_study_changes_one_thing():
    assert next(iter(RECIPES.values())) == BASE
    for name, recipe in list(RECIPES.items())[1:]:
        changed = [key for key in vars(BASE) if getattr(recipe, key) != getattr(BASE, key)]
        assert len(changed) == 1, name


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    assert {row["recipe"] for row in rows} == {*RECIPES, IDEAL, NOTHING}
    assert len(rows) == (len(RECIPES) + 2) * len({row["seed"] for row in rows})
