"""La tabla de las cabezas de pose: entera, y cada fila de la suya."""

from benchmarks import pose
from benchmarks.pose import NAME, measure, settings
from tfcourse.models.pose import HEADS
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 3 and len(rows) == len(seeds) * len(HEADS)
    assert {row["head"] for row in rows} == set(HEADS)


def test_the_table_goes_head_by_head(monkeypatch, fake_clock):
    monkeypatch.setattr(pose, "SECONDS", 0.05)
    monkeypatch.setattr("tfcourse.vision.pose.recipe.PoseModel.score", lambda self: {"PCK": 0.0})
    rows = list(measure([3]))
    assert [row["head"] for row in rows] == list(HEADS)
    assert all(row["seed"] == 3 and row["updates"] > 0 for row in rows)
