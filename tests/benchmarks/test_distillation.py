"""El estudio de la destilación: cada manera se repite, y la tabla dice lo que se afirma."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from benchmarks import distillation
from benchmarks.distillation import NAME, PER_CLASS, WAYS, by_token, pupil, settings
from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.models.deit import DeiT
from tfcourse.stored.results import load_results


@pytest.mark.parametrize("way", WAYS)
def test_every_way_trains_and_repeats(way, monkeypatch):
    train = distillation.train
    monkeypatch.setattr(
        distillation,
        "train",
        lambda recipe, *seed, **rest: train(replace(recipe, steps=3, batch_size=16), *seed, **rest),
    )
    data, test = split_digits()
    teacher = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    few, (_, _, token) = few_per_class(data, 3), WAYS[way]
    first, second = (pupil(way, few, 4, teacher, data.images) for _ in range(2))
    assert isinstance(first, DeiT) == token
    assert all(
        torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True)
    )
    measured = by_token(first, test)
    assert set(measured) == ({"accuracy", "class_token", "teacher_token", "cosine"} if token
                             else {"accuracy"})  # fmt: skip
    assert all(-1 <= value <= 1 for value in measured.values())


def test_an_unknown_way_is_told():
    data, _ = split_digits()
    with pytest.raises(ValueError, match="no hay ninguna manera 'media'"):
        pupil("media", few_per_class(data, 2), 0, nn.Identity(), data.images)


def test_the_stored_study_is_whole_and_pays_where_it_says():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    without_pool = sum(not pool for _, pool, _ in WAYS.values())
    assert len(seeds) == 5
    assert len(rows) == 5 * ((len(PER_CLASS) - 1) * (len(WAYS) + 1) + without_pool + 1)
    few = {(r["seed"], r["way"]): r["accuracy"] for r in rows if r["labels"] == 50}
    gains = [few[s, "dura, con más imágenes"] - few[s, "sin maestro"] for s in seeds]
    assert min(gains) > 0.01
