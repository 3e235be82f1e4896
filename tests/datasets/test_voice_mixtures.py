"""Mezclas de voces: suman, no se repiten y son de personas distintas."""

import math

import pytest
import torch

from tfcourse.audio.signals import power, tone
from tfcourse.datasets.sounds.spoken_phrases import Speaker
from tfcourse.datasets.sounds.voice_mixtures import (
    LEVEL,
    STEADY,
    MixtureChanges,
    closest,
    draw_mixtures,
    draw_people,
    mixture_batches,
    speaker_pitch,
    talk,
)


def hum(name, hertz, seconds=0.3):
    """Una «persona» que no hace falta sintetizar: todo lo dice con el mismo zumbido."""
    wave = sum(tone(k * hertz, seconds, 8_000, amplitude=0.3 / k) for k in range(1, 5))
    return Speaker(name, (wave, wave[: len(wave) // 2]))


PEOPLE = (hum("a", 100), hum("a", 110), hum("b", 105), hum("c", 200))


def test_batches_are_sums_that_do_not_repeat_and_depend_on_the_seed():
    stream = mixture_batches(PEOPLE, 3, MixtureChanges(seconds=0.5), seed=0)
    (waves, sources), (others, _) = next(stream), next(stream)
    assert waves.shape == (3, 4_000) and sources.shape == (3, 2, 4_000)
    torch.testing.assert_close(sources.sum(1), waves)
    assert not torch.equal(waves, others)
    again, _ = next(mixture_batches(PEOPLE, 3, MixtureChanges(seconds=0.5), seed=0))
    assert torch.equal(waves, again)
    three = next(mixture_batches(PEOPLE, 2, STEADY, seed=0, n_speakers=3))[1]
    assert three.shape == (2, 3, 8_000)


def test_the_volume_of_each_voice_is_within_what_is_asked():
    changes = MixtureChanges(level_db=3.0)
    _, sources = next(mixture_batches(PEOPLE, 20, changes, seed=1))
    decibels = 10 * (power(sources) / LEVEL**2).log10()
    assert decibels.abs().max() <= 3.001 and decibels.std() > 1


def test_someone_talks_all_the_time_asked():
    generator = torch.Generator().manual_seed(0)
    wave = talk(PEOPLE[0], MixtureChanges(seconds=1.5, pause=(0.0, 0.01)), generator)
    assert len(wave) == 12_000
    assert float(power(wave)) == pytest.approx(LEVEL**2, rel=1e-3)
    quiet = wave.unfold(0, 400, 400).abs().amax(-1) < 1e-4
    assert quiet.float().mean() < 0.1


def test_the_people_of_a_mixture_are_different_and_as_far_as_asked():
    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        first, second = draw_people(PEOPLE, 2, 0.0, generator)
        assert first.voice != second.voice
        assert closest(draw_people(PEOPLE, 2, 9.0, generator)) >= 9.0
    # Si nadie está tan lejos, no se queda buscando para siempre.
    assert len(draw_people(PEOPLE[:3], 2, 9.0, generator)) == 2
    with pytest.raises(ValueError, match="hay 1 timbres y se piden 2 voces"):
        draw_people(PEOPLE[:2], 2, 0.0, generator)


def test_pitches_are_those_of_the_people():
    assert speaker_pitch(PEOPLE[3]) == pytest.approx(200, rel=0.03)
    assert closest([PEOPLE[0], PEOPLE[3]]) == pytest.approx(12, abs=0.6)
    whisper = Speaker("d", (torch.randn(4_000, generator=torch.Generator().manual_seed(0)),))
    assert closest([PEOPLE[0], whisper]) == 0.0
    drawn = draw_mixtures(PEOPLE, 4, STEADY, seed=0)
    assert len(drawn) == 4 and drawn.pitches.shape == (4, 2)
    torch.testing.assert_close(drawn.waves, drawn.sources.sum(1))
    for voices, tones in zip(drawn.voices, drawn.pitches.tolist(), strict=True):
        assert len(set(voices)) == 2 and not any(map(math.isnan, tones))
