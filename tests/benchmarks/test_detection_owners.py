"""El emparejamiento que baila: la tabla guardada es de estos peldaños y dice lo que dice."""

import pytest

from benchmarks import detection_owners
from benchmarks.detection_owners import NAME, STEPS, measure, settings
from tfcourse.stored.results import load_results
from tfcourse.vision.anchors.ladder import by_seed


def rows():
    return load_results(NAME, settings())


def test_the_stored_table_is_whole():
    seeds = {row["seed"] for row in rows()}
    assert len(seeds) >= 3 and len(rows()) == len(seeds) * len(STEPS)
    assert {row["step"] for row in rows()} == set(STEPS)


def test_what_the_table_says():
    """Con anclas el emparejamiento se mueve mucho menos, en todas las semillas."""
    plain, helped, *anchored = (by_seed(rows(), step, "moved").values() for step in STEPS)
    assert max(max(moved) for moved in anchored) < min(plain) / 2
    assert min(helped) > 0.05


def test_a_row_is_measured_again(monkeypatch):
    (known,) = (r for r in rows() if (r["step"], r["seed"]) == ("+ anclas", 0))
    monkeypatch.setattr(detection_owners, "STEPS", {"+ anclas": STEPS["+ anclas"]})
    (row,) = measure([0])
    assert row["moved"] == pytest.approx(known["moved"], abs=0.03)
