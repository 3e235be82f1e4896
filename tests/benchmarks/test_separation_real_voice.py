"""Separar a personas: cada pareja con sus mezclas, y la tabla guardada, de estos pesos."""

import math

import pytest

from benchmarks.separation_real_voice import NAME, PEOPLE, SYNTHETIC, measure
from tests.sound.recordings import record
from tfcourse.datasets.sounds import recorded_digits
from tfcourse.stored.results import load_results


@pytest.fixture
def recordings(tmp_path, monkeypatch):
    """Las tres personas, de mentira, cada una con su tono."""
    monkeypatch.setattr(recorded_digits, "SOUNDS", tmp_path)
    for (name, _), hertz in zip(PEOPLE.values(), (200, 150, 100), strict=True):
        record(tmp_path / name / "digits", hertz)


def test_every_pair_is_measured_beside_the_synthetic_voices(recordings, monkeypatch):
    monkeypatch.setattr("benchmarks.separation_real_voice.N_MIXTURES", 3)
    rows = list(measure([0]))
    assert [row["pair"] for row in rows] == [
        SYNTHETIC, "Allison Smith y June Wallack", "Allison Smith y Carlo Flora",
        "June Wallack y Carlo Flora",
    ]  # fmt: skip
    assert all(math.isfinite(row["gain"]) and row["gain"] < row["ideal"] for row in rows)
    apart = [12 * math.log2(a / b) for a, b in ((200, 150), (200, 100), (150, 100))]
    assert [row["semitones"] for row in rows[1:]] == pytest.approx(apart, abs=0.5)


def test_the_stored_table_has_every_pair():
    rows = load_results(NAME)
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 3 and len(rows) == 4 * len(seeds)
    assert {row["pair"] for row in rows if row["seed"] == 0} >= {SYNTHETIC}
