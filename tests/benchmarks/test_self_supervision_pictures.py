"""Los dibujos sin etiquetas: la tabla está entera, pregunta lo que dice y se mide de nuevo."""

from collections import Counter
from itertools import product

import pytest
import torch

from benchmarks import self_supervision_pictures as table
from tfcourse.stored.results import load_results
from tfcourse.vision.self_supervision.costs import equal_passes

SEEDS = range(3)


def rows():
    return load_results(table.NAME, table.settings())


def test_every_contestant_has_every_number_of_labels_and_three_seeds():
    ways = product(("píxeles", "al azar", "MAE", "maestro"), ("vecinos", "sonda"))
    asked = [(*way, n, seed) for way, n, seed in product(ways, table.PER_CLASS, SEEDS)]
    rivals = product(table.RIVALS, ["de cero"], table.RIVAL_LABELS, SEEDS)
    keys = ("name", "how", "per_class", "seed")
    found = [tuple(row[key] for key in keys) for row in rows() if row["how"] != "nada"]
    assert Counter(found) == Counter([*asked, *rivals])


def test_all_read_the_same_number_of_pictures_with_gradient():
    read = table.MASKED.steps * table.MASKED.batch_size
    assert table.TEACHER.steps * table.TEACHER.n_views * table.TEACHER.batch_size == read
    for rival in table.RIVALS.values():
        assert rival.steps == equal_passes(table.TEACHER, rival.batch_size)
        assert rival.steps * rival.batch_size == read
    moves = [recipe.moves for recipe in (table.MASKED, table.TEACHER, *table.RIVALS.values())]
    assert all(one == moves[0] for one in moves)


def test_the_pictures_are_in_negative_and_nobody_saw_the_reserved_ones():
    known, test = table.drawings()
    assert len(test) == table.N_TEST and known.images[..., 0, 0].median() == 0
    assert not (torch.cdist(test.images.flatten(1), known.images.flatten(1)).min(1)[0] == 0).any()
    assert known.images.mean() == pytest.approx(table.TEACHER.pixel_mean, abs=0.005)
    assert known.images.std() == pytest.approx(table.TEACHER.pixel_scale, abs=0.005)


def test_the_floors_are_measured_again():
    keys = ("name", "how", "per_class")
    stored = {tuple(row[key] for key in keys): row for row in rows() if row["seed"] == 0}
    assert stored["el más común", "nada", 0] == table.about()
    for row in table.floors(0):
        before = stored[tuple(row[key] for key in keys)]
        assert row["accuracy"] == pytest.approx(before["accuracy"], abs=0.03), row
