"""La tabla de la fusión: modelo a modelo, y entera."""

from benchmarks import fusion
from benchmarks.fusion import CURED, LATE, NAME, measure, runs
from tfcourse.models.fusion import UNIMODAL, VARIANTS
from tfcourse.stored.results import load_results


def test_the_table_goes_model_by_model(monkeypatch):
    monkeypatch.setattr(fusion, "STEPS", 1)
    monkeypatch.setattr(fusion, "N_TEST", 10)
    rows = list(measure([3]))
    models = [*UNIMODAL, LATE, *(name for name, _ in runs())]
    assert [row["model"] for row in rows] == models
    assert all(row["seed"] == 3 and 0 <= row["both"] <= 1 for row in rows)
    looking = {row["model"] for row in rows if "image_share" in row}
    assert looking == set(VARIANTS) - {"suma temprana"}


def test_the_stored_table_is_whole():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 5
    assert len(rows) == len(seeds) * (len(UNIMODAL) + 1 + len(VARIANTS) + len(CURED))
