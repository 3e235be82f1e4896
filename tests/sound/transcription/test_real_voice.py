"""Una persona que dicta: los bordes de cada grabación, sus cifras y las frases que se montan."""

import pytest
import torch
import torch.nn.functional as F

from tests.sound.recordings import RATE, record
from tfcourse.datasets.sounds import recorded_digits
from tfcourse.datasets.sounds.recorded_digits import PEOPLE, SPEAKER
from tfcourse.sound.transcription.real_voice import (
    N_PHRASES,
    recorded_phrases,
    recorded_speaker,
    without_edges,
)


def test_the_edges_without_sound_are_cut():
    wave = F.pad(torch.tensor([0.5, -0.4, 0.0, 0.3]), (3, 5))
    assert torch.equal(without_edges(wave), torch.tensor([0.5, -0.4, 0.0, 0.3]))
    with pytest.raises(ValueError, match="no suena nada"):
        without_edges(torch.zeros(9))


def test_a_recorded_person_is_one_more_voice(tmp_path, monkeypatch):
    monkeypatch.setattr(recorded_digits, "SOUNDS", tmp_path)
    record(tmp_path / PEOPLE["Carlo Flora"][0] / "digits", 100)
    person = recorded_speaker(speaker="Carlo Flora")
    assert person.voice == "Carlo Flora" and len(person.clips) == 10
    # Los silencios de los lados, fuera.
    assert all(len(clip) == pytest.approx(RATE // 2, abs=20) for clip in person.clips)


def test_the_phrases_are_of_the_recordings_and_repeat(tmp_path, monkeypatch):
    monkeypatch.setattr(recorded_digits, "SOUNDS", tmp_path)
    record(tmp_path / PEOPLE[SPEAKER][0] / "digits", 150)
    phrases, again = recorded_phrases(0), recorded_phrases(0)
    assert len(phrases) == N_PHRASES and {phrase.voice for phrase in phrases} == {SPEAKER}
    assert [p.labels for p in phrases] == [p.labels for p in again]
    assert [p.labels for p in phrases] != [p.labels for p in recorded_phrases(1)]
