"""Las lenguas de Whisper: los mismos pasos en tres filas, y la tabla guardada está entera."""

from benchmarks.transcription_languages import NAME, RECIPES
from tfcourse.stored.results import load_results


def test_only_the_languages_or_the_steps_change():
    first, *others = RECIPES.values()
    for recipe in others:
        changed = [key for key in vars(first) if getattr(recipe, key) != getattr(first, key)]
        assert changed in (["languages"], ["languages", "steps"])
    assert RECIPES["las dos"].steps == first.steps
    assert RECIPES["las dos, el doble de pasos"].steps == 2 * first.steps


def test_there_is_a_row_for_each_spoken_language_and_symbol():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    found = {(row["seed"], row["recipe"], row["spoken"], row["symbol"]) for row in rows}
    assert len(seeds) == 3 and len(found) == len(rows)
    assert found == {
        (seed, name, spoken, symbol)
        for seed in seeds
        for name, recipe in RECIPES.items()
        for spoken in recipe.languages
        for symbol in recipe.languages
    }
    for row in rows:
        if row["spoken"] == row["symbol"]:  # sin cambiar el símbolo, lo dicho es lo que se pide
            assert row["said"] == row["translated"]
