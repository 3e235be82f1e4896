"""De DETR a las anclas con los mismos pasos: la tabla guardada es la de esta escalera."""

from benchmarks import detection_ladder
from benchmarks.detection_ladder import NAME, measure, settings
from tfcourse.stored.results import load_results
from tfcourse.vision.detection.recipe import LADDER, RECIPES


def rows():
    return load_results(NAME, settings())


def found(step):
    return [row["AP"] for row in rows() if row["step"] == step]


def test_the_stored_table_is_whole():
    seeds = {row["seed"] for row in rows()}
    assert len(seeds) >= 3 and len(rows()) == len(seeds) * len(RECIPES)
    assert {row["step"] for row in rows()} == set(RECIPES)


def test_the_table_goes_step_by_step(monkeypatch):
    (known, *_) = (row for row in rows() if row["step"] == "DETR")
    monkeypatch.setattr(detection_ladder, "STEPS", 1)
    monkeypatch.setattr(detection_ladder, "RECIPES", {"DETR": LADDER["DETR"]})
    monkeypatch.setattr("tfcourse.vision.detection.recipe.Detector.score", lambda self: {"AP": 0.0})
    (row,) = measure([3])
    assert row == {"step": "DETR", "seed": 3, "parameters": known["parameters"], "AP": 0.0}
