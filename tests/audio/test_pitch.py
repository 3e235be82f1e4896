"""El tono de una voz: el de los tonos y zumbidos que se conocen."""

import math

import pytest
import torch

from tfcourse.audio.pitch import HIGHEST, pitch_of, repetition_error, semitones
from tfcourse.audio.signals import tone
from tfcourse.datasets.sounds.spoken_phrases import reserved_speakers


@pytest.mark.parametrize("hertz", [80, 130, 200, 320])
@pytest.mark.parametrize("sample_rate", [8_000, 16_000])
def test_a_buzz_has_the_pitch_of_its_first_harmonic(hertz, sample_rate):
    buzz = sum(tone(k * hertz, 0.5, sample_rate, amplitude=1 / k) for k in range(1, 8))
    assert pitch_of(buzz, sample_rate) == pytest.approx(hertz, rel=0.03)
    assert pitch_of(0.001 * buzz + 0.2, sample_rate) == pytest.approx(hertz, rel=0.03)


@pytest.mark.parametrize("sample_rate", [8_000, 11_025])
def test_no_pitch_is_above_the_highest(sample_rate):
    """Un zumbido más agudo que ninguna voz se oye, como mucho, una octava por debajo."""
    for hertz in range(int(HIGHEST) + 1, int(HIGHEST) + 25, 3):
        buzz = sum(tone(k * hertz, 0.5, sample_rate, amplitude=1 / k) for k in range(1, 5))
        found = pitch_of(buzz, sample_rate)
        assert math.isnan(found) or found <= HIGHEST


def test_what_has_no_pitch():
    generator = torch.Generator().manual_seed(0)
    assert math.isnan(pitch_of(torch.zeros(4_000), 8_000))
    assert math.isnan(pitch_of(torch.randn(4_000, generator=generator), 8_000))
    with pytest.raises(ValueError, match="la señal tiene 100 muestras y un tramo, 400"):
        pitch_of(torch.ones(100), 8_000)


@pytest.mark.parametrize("strong", [2, 3, 5])
def test_a_strong_harmonic_does_not_pass_for_the_pitch(strong):
    """Una vocal grave con un formante en un armónico: el que manda es el que se repite."""
    for hertz in (75, 95, 120):
        buzz = sum(tone(k * hertz, 0.5, 8_000, amplitude=1 / k) for k in range(1, 8))
        buzz = buzz + tone(strong * hertz, 0.5, 8_000, amplitude=2.0)
        assert pitch_of(buzz, 8_000) == pytest.approx(hertz, rel=0.03)


def test_the_takes_of_one_deep_voice_agree():
    """Con la autocorrelación sin más, una toma de esta voz salía más de una octava por encima."""
    takes = [p for p in reserved_speakers() if p.voice == "robert"]
    found = [pitch_of(torch.cat(take.clips), 8_000) for take in takes]
    assert len(found) > 1 and all(65 < hertz < 115 for hertz in found)


def test_the_error_of_repeating():
    wave = tone(100, 0.05, 8_000)[None]
    error = repetition_error(wave, 130)[0]
    assert error[79] < 1e-3 < 1 < error[39]  # a los 80, una vuelta; a los 40, media


def test_semitones():
    assert semitones(440, 220) == pytest.approx(12) and semitones(100, 100) == 0
    assert semitones(100, 150) == pytest.approx(semitones(150, 100))
