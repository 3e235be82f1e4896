"""La tabla de Gato y sus pesos: lo guardado es de esta receta y cumple lo que dice el capítulo."""

import pytest

from tfcourse import gato_table
from tfcourse.datasets.spoken_words import DIGITS, spoken_words
from tfcourse.datasets.voices import TEST_VARIANTS, takes_of
from tfcourse.gato_recipes import TASKS, GatoRecipe, guess_rates, task_score
from tfcourse.gato_table import ALL, NAME, SHIPPED, measure, settings, shipped_gato
from tfcourse.results import load_results
from tfcourse.shipped import weights_card


def test_the_stored_table_is_of_this_recipe_and_keeps_the_bar():
    rows = load_results(NAME, settings())
    scores = {(r["trained_on"], r["seed"], r["task"]): r["score"] for r in rows}
    chance = guess_rates()
    for seed in {row["seed"] for row in rows}:
        for task in TASKS:
            assert scores[ALL, seed, task] > chance[task] + 0.3
    for task in TASKS:
        one, own = (
            [s for (n, _, t), s in scores.items() if (n, t) == key]
            for key in ((ALL, task), (task, task))
        )
        assert len(one) == len(own) and sum(one) >= 0.9 * sum(own)


def test_the_weights_are_the_ones_of_the_card():
    card, model = weights_card(SHIPPED), shipped_gato()
    spoken = spoken_words(DIGITS, takes_of(TEST_VARIANTS, 1))
    for task, n, n_play in (("describir", 100, 0), ("oír", 0, 0), ("carro", 0, 4)):
        found = task_score(model, task, spoken, n, n_play)
        assert found == pytest.approx(card.quality[task], abs=0.15)
        assert found > card.quality[f"{task}, sin entrenar"] + 0.3


def test_measuring_gives_one_row_per_model_and_task(monkeypatch):
    monkeypatch.setattr(gato_table, "long_data", lambda: (None, None))
    trainings = []
    monkeypatch.setattr(
        gato_table, "trained", lambda d, seed, recipe, tasks: (trainings.append(tasks), None)
    )
    monkeypatch.setattr(gato_table, "task_score", lambda *_: 0.5)
    rows = list(measure([0, 1]))
    assert len(rows) == 2 * (len(TASKS) + len(TASKS))
    assert trainings[:2] == [TASKS, (TASKS[0],)] and len(trainings) == 2 * (1 + len(TASKS))
    assert {row["trained_on"] for row in rows} == {ALL, *TASKS}
    assert settings()["recipe"]["steps"] == GatoRecipe().steps
