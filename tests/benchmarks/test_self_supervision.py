"""La tabla de ver sin etiquetas: está entera, es de estas recetas y se vuelve a medir."""

from collections import Counter
from itertools import product

import pytest

from benchmarks import self_supervision as table
from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.stored.results import load_results
from tfcourse.vision.self_supervision.few_labels import pixels

SEEDS = (0, 1, 2)


def rows(kind):
    found = load_results(table.NAME, table.settings())
    return [row for row in found if row["kind"] == kind]


def test_every_contestant_has_every_number_of_labels_and_three_seeds():
    ways = product(("píxeles", "al azar", "MAE", "maestro"), ("vecinos", "sonda"))
    ways = [*ways, *product(table.RIVALS, ("de cero", "con paciencia"))]
    asked = [(name, how, n) for (name, how), n in product(ways, table.PER_CLASS)]
    wanted = Counter((*one, *other) for one, other in product(asked, product(table.PLACES, SEEDS)))
    keys = ("name", "how", "per_class", "place", "seed")
    assert Counter(tuple(row[key] for key in keys) for row in rows("etiquetas")) == wanted


def test_the_patient_rivals_read_as_much_as_the_pupil_and_the_painter():
    read = table.N_STEPS * table.BATCH
    assert read == table.TEACHER.steps * table.TEACHER.n_views * table.TEACHER.batch_size
    assert read == table.MASKED.steps * table.MASKED.batch_size
    assert all(4 * rival.steps * rival.batch_size == read for rival in table.RIVALS.values())


def test_moved_pictures_are_the_same_moved():
    still, moved = (table.asked(place) for place in table.PLACES)
    assert moved.labels.equal(still.labels) and not moved.images.equal(still.images)
    assert table.asked("movidas").images.equal(moved.images)


def test_every_change_has_three_seeds_and_its_two_entropies():
    names = ("entero", *table.CHANGES, "corto")
    found = Counter((row["name"], row["seed"]) for row in rows("colapso"))
    assert found == Counter(product(names, SEEDS))
    for row in rows("colapso"):
        of_mean, mean = row["entropía de la media"], row["media de las entropías"]
        assert all(a >= b - 1e-3 for a, b in zip(of_mean, mean, strict=True)), row["name"]


def test_the_pixels_are_measured_again():
    stored = {
        (row["how"], row["per_class"], row["place"]): row["accuracy"]
        for row in rows("etiquetas") if (row["name"], row["seed"]) == ("píxeles", 0)
    }  # fmt: skip
    for row in table.measured("píxeles", pixels, 0):
        key = row["how"], row["per_class"], row["place"]
        assert row["accuracy"] == pytest.approx(stored[key], abs=0.01)


def test_the_rivals_fill_their_batches_with_the_same_pictures():
    few = few_per_class(split_digits()[0], 1)
    data = table.repeated(few, 64)
    assert len(data) == 64 and data.images[:10].equal(data.images[10:20])
    assert table.repeated(split_digits()[0], 64).images.equal(split_digits()[0].images)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: cinco pasos."""
    (again,) = table.change("corto", 0)
    (stored,) = [row for row in rows("colapso") if (row["name"], row["seed"]) == ("corto", 0)]
    assert again["media de las entropías"] == pytest.approx(
        stored["media de las entropías"], abs=0.05
    )
    assert again["accuracy"] == pytest.approx(stored["accuracy"], abs=0.1)
