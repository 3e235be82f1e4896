"""Separar a personas: cada pareja con sus mezclas, y la tabla guardada, de estos pesos."""

import math

import numpy as np
import pytest
import soundfile

from tfcourse.datasets import recorded_digits
from tfcourse.real_mixtures import NAME, PEOPLE, SYNTHETIC, measure, settings
from tfcourse.real_phrases import recorded_speaker
from tfcourse.results import load_results

RATE = 8_000


def record(folder, hertz):
    """Diez «cifras»: zumbidos con armónicos, con silencio a los lados."""
    folder.mkdir(parents=True)
    time = np.arange(RATE // 2) / RATE
    for digit in range(10):
        hum = sum(np.sin(2 * np.pi * hertz * k * time) / k for k in (1, 2, 3 + digit % 3))
        soundfile.write(folder / f"{digit}.wav", np.pad(0.2 * hum, 800), RATE)


@pytest.fixture
def recordings(tmp_path, monkeypatch):
    """Las tres personas, de mentira, cada una con su tono."""
    monkeypatch.setattr(recorded_digits, "SOUNDS", tmp_path)
    for (name, _), hertz in zip(PEOPLE.values(), (200, 150, 100), strict=True):
        record(tmp_path / name / "digits", hertz)


def test_a_recorded_person_is_one_more_voice(recordings):
    person = recorded_speaker(speaker="Carlo Flora")
    assert person.voice == "Carlo Flora" and len(person.clips) == 10
    # Los silencios de los lados, fuera.
    assert all(len(clip) == pytest.approx(RATE // 2, abs=20) for clip in person.clips)


def test_every_pair_is_measured_beside_the_synthetic_voices(recordings, monkeypatch):
    monkeypatch.setattr("tfcourse.real_mixtures.N_MIXTURES", 3)
    rows = list(measure([0]))
    assert [row["pair"] for row in rows] == [
        SYNTHETIC, "Allison Smith y June Wallack", "Allison Smith y Carlo Flora",
        "June Wallack y Carlo Flora",
    ]  # fmt: skip
    assert all(math.isfinite(row["gain"]) and row["gain"] < row["ideal"] for row in rows)
    apart = [12 * math.log2(a / b) for a, b in ((200, 150), (200, 100), (150, 100))]
    assert [row["semitones"] for row in rows[1:]] == pytest.approx(apart, abs=0.5)


def test_the_stored_table_has_every_pair():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 3 and len(rows) == 4 * len(seeds)
    assert {row["pair"] for row in rows if row["seed"] == 0} >= {SYNTHETIC}
