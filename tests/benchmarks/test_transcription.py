"""Las ayudas de Whisper: a cada fila le falta una, y la tabla guardada está entera."""

from benchmarks.transcription import NAME, RECIPES, WHOLE
from tfcourse.stored.results import load_results


def test_each_row_of_the_table_lacks_one_aid():
    for name, recipe in RECIPES.items():
        changed = [key for key in vars(WHOLE) if getattr(recipe, key) != getattr(WHOLE, key)]
        assert len(changed) == (recipe != WHOLE), name
        assert not any(getattr(recipe, key) for key in changed)
    rows = load_results(NAME)
    assert {row["recipe"] for row in rows} == set(RECIPES)
    assert len(rows) == len(RECIPES) * len({row["seed"] for row in rows})
