"""La tabla de dibujos y nombres: qué palabras se conocían, y que está entera."""

import torch

from benchmarks.pictures import NAME, known_words, recall_by_words, word_groups
from tfcourse.datasets.pictures.openmoji import Pictures
from tfcourse.models.mmbt import SIGHTS
from tfcourse.stored.results import load_results


def pictures_called(*names: str) -> Pictures:
    return Pictures(torch.zeros(len(names), 3, 4, 4), names, names, torch.zeros(len(names)).long())


def test_known_words_by_hand():
    train = pictures_called("cara de gato", "cuadrado rojo")
    test = pictures_called("cuadrado de gato", "cuadrado verde", "sari", "la cara")
    known = known_words(train, test)
    assert known.tolist() == [1.0, 0.5, 0.0, 1.0]
    assert {k: v.tolist() for k, v in word_groups(known).items()} == {
        "todas": [True, False, False, True],
        "algunas": [False, True, False, False],
        "ninguna": [False, False, True, False],
    }
    table = torch.eye(4)
    table[1] = torch.tensor([3.0, 1.0, 2.0, 4.0])
    row = recall_by_words(table, known, k=1)
    assert row["todas, cuántos"] == 2 and row["todas, 1"] == 1.0
    assert row["algunas, cuántos"] == 1 and row["algunas, 1"] == 0.0


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    assert {row["seed"] for row in rows if row["task"] == "clip"} <= seeds
    for seed in seeds:
        models = {row["model"] for row in rows if row["seed"] == seed and row["task"] == "mmbt"}
        assert models == {"el grupo más frecuente", *SIGHTS, "fusión tardía"}
