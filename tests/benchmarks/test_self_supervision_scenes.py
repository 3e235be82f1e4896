"""La tabla de las escenas sin etiquetas: está entera, es de sus recetas y se vuelve a medir."""

from collections import Counter
from itertools import product

import pytest

from benchmarks import self_supervision_scenes as table
from tfcourse.datasets.scenes.lone_figures import QUESTIONS
from tfcourse.stored.results import load_results
from tfcourse.vision.self_supervision.few_labels import pixels

SEEDS = (0, 1, 2)


def rows():
    return load_results(table.NAME, table.settings())


def test_every_contestant_has_both_questions_every_number_of_labels_and_three_seeds():
    ways = product(("píxeles", "al azar", "MAE", "maestro"), ("vecinos", "sonda"))
    asked = [(*way, n) for way, n in product(ways, table.PER_CLASS)]
    asked += [(name, "de cero", table.RIVAL_LABELS) for name in table.RIVALS]
    wanted = Counter((*one, *other) for one, other in product(asked, product(QUESTIONS, SEEDS)))
    keys = ("name", "how", "per_class", "question", "seed")
    assert Counter(tuple(row[key] for key in keys) for row in rows()) == wanted


def test_all_of_them_read_as_much_and_move_the_same():
    read = table.TEACHER.steps * table.TEACHER.n_views * table.TEACHER.batch_size
    assert read == table.MASKED.steps * table.MASKED.batch_size == 32_000
    for rival in table.RIVALS.values():
        assert rival.steps * rival.batch_size == read
    recipes = (table.MASKED, table.TEACHER, *table.RIVALS.values())
    assert all(recipe.moves == table.MOVES for recipe in recipes)


def test_the_reserved_scenes_are_not_those_of_learning():
    known, test = (some["figura"].images for some in table.scenes())
    assert len(known) == table.N_KNOWN and len(test) == table.N_TEST
    assert not (known[:, None, :, 0] == test[None, :, :, 0]).all((-2, -1)).any()


def test_the_pixels_are_measured_again():
    stored = {
        (row["how"], row["question"], row["per_class"]): row["accuracy"]
        for row in rows() if (row["name"], row["seed"]) == ("píxeles", 0)
    }  # fmt: skip
    for row in table.measured("píxeles", pixels, 0):
        key = row["how"], row["question"], row["per_class"]
        assert row["accuracy"] == pytest.approx(stored[key], abs=0.01)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La de la convolución con el color."""
    again = table.supervised("CNN", "color", 0)
    keys = ("name", "how", "seed", "question", "per_class")
    (stored,) = [row for row in rows() if all(row[key] == again[key] for key in keys)]
    assert again["accuracy"] == pytest.approx(stored["accuracy"], abs=0.05)
