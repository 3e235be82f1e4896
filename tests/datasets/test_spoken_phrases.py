"""Frases de cifras: se repiten, sus límites son los verdaderos y las voces no se mezclan."""

from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.sounds.spoken_phrases import (
    LONGEST,
    SHORTEST,
    STEADY,
    PhraseChanges,
    at_rate,
    draw_phrase,
    joined,
    noisy,
    padded,
    phrase_batches,
    reserved_phrases,
    reserved_speakers,
    speakers,
)
from tfcourse.datasets.sounds.spoken_words import DIGITS
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS

PEOPLE = speakers(("f3", "m2"), 2)


def test_each_take_has_the_ten_digits_without_silence_around():
    assert [person.voice for person in PEOPLE] == ["f3", "f3", "m2", "m2"]
    for person in PEOPLE:
        assert len(person.clips) == len(DIGITS)
        for clip in person.clips:
            assert float(clip.abs().max()) == pytest.approx(0.5)
            assert 0.1 < len(clip) / 8_000 < 1.2
            # Ni el comienzo ni el final son un hueco largo.
            assert float(clip[:800].abs().max()) > 0.01 and float(clip[-1600:].abs().max()) > 0.01


def test_the_limits_are_where_the_words_are():
    generator = torch.Generator().manual_seed(0)
    changes = replace(STEADY, pause=(0.1, 0.3))
    phrase = joined(PEOPLE[0], [3, 3, 8], changes, generator)
    assert [word.text for word in phrase.words] == ["tres", "tres", "ocho"]
    for word, label in zip(phrase.words, phrase.labels, strict=True):
        inside = phrase.wave[round(word.start * 8_000) : round(word.end * 8_000)]
        assert torch.equal(inside, PEOPLE[0].clips[label])
    for one, other in zip(phrase.words, phrase.words[1:], strict=False):
        gap = phrase.wave[round(one.end * 8_000) : round(other.start * 8_000)]
        assert 0.09 < len(gap) / 8_000 < 0.31 and not gap.any()


def test_the_edges_are_not_pauses():
    generator = torch.Generator().manual_seed(0)
    changes = replace(STEADY, pause=(0.3, 0.3), edge=(0.05, 0.05))
    phrase = joined(PEOPLE[0], [3, 8], changes, generator)
    assert phrase.words[0].start == pytest.approx(0.05)
    assert phrase.words[1].start - phrase.words[0].end == pytest.approx(0.3)
    assert len(phrase.wave) / 8_000 - phrase.words[1].end == pytest.approx(0.05)


def test_each_word_goes_up_or_down_by_its_own_volume():
    changes = replace(STEADY, volume_db=6.0)
    phrase = joined(PEOPLE[0], [4] * 40, changes, torch.Generator().manual_seed(0))
    found = []
    for word in phrase.words:
        inside = phrase.wave[round(word.start * 8_000) : round(word.end * 8_000)]
        found.append(20 * float((inside.abs().max() / PEOPLE[0].clips[4].abs().max()).log10()))
    assert -6.001 < min(found) < -3 and 3 < max(found) < 6.001


def test_the_speed_changes_the_length_and_not_the_order():
    wave = torch.sin(torch.arange(1000) / 20)
    assert len(at_rate(wave, 1.25)) == 800 and torch.equal(at_rate(wave, 1.0), wave)
    crossings = [int((w[1:] * w[:-1] < 0).sum()) for w in (wave, at_rate(wave, 0.8))]
    assert abs(crossings[0] - crossings[1]) <= 1  # las mismas vibraciones, en más tiempo


def test_phrases_repeat_with_the_same_seed_and_have_three_to_six_words():
    def some(seed):
        generator = torch.Generator().manual_seed(seed)
        return [draw_phrase(PEOPLE, PhraseChanges(), generator) for _ in range(40)]

    first, again, other = some(0), some(0), some(1)
    assert all(torch.equal(a.wave, b.wave) for a, b in zip(first, again, strict=True))
    assert [p.labels for p in first] != [p.labels for p in other]
    assert {len(p.labels) for p in first} == set(range(SHORTEST, LONGEST + 1))


def test_the_reserved_voices_are_not_the_trained_ones():
    voices = {phrase.voice for phrase in reserved_phrases()}
    assert voices == set(TEST_VARIANTS) and not voices & set(TRAIN_VARIANTS)
    clips = {len(clip) for person in reserved_speakers() for clip in person.clips}
    for phrase in reserved_phrases():  # sin velocidad ni volumen sorteados: la voz tal cual
        lengths = {round((word.end - word.start) * 8_000) for word in phrase.words}
        assert lengths <= clips and float(phrase.wave.abs().max()) == pytest.approx(0.5)


def test_batches_join_phrases_of_similar_length():
    batches = phrase_batches(PEOPLE, 4, STEADY, seed=0)
    found = [next(batches) for _ in range(8)]
    inside = [max(len(p.wave) for p in b) / min(len(p.wave) for p in b) for b in found]
    whole = [len(p.wave) for b in found for p in b]
    assert sum(inside) / len(inside) < 1.35 < max(whole) / min(whole)
    waves = padded(found[0])
    assert waves.shape == (4, max(len(p.wave) for p in found[0]))
    longest = [max(len(p.wave) for p in b) for b in found]
    assert longest != sorted(longest)  # no siempre de los cortos a los largos


def test_noise_is_added_only_when_asked():
    generator = torch.Generator().manual_seed(0)
    waves = padded([draw_phrase(PEOPLE, STEADY, generator) for _ in range(3)])
    assert torch.equal(noisy(waves, STEADY, generator), waves)
    loud = noisy(waves, replace(STEADY, noise_db=(10.0, 10.0)), generator) - waves
    ratio = waves.square().mean(1) / loud.square().mean(1)
    torch.testing.assert_close(ratio, torch.full((3,), 10.0), rtol=0.05, atol=0)
    sound = torch.randn(60, 4_000, generator=generator)
    added = noisy(sound, replace(STEADY, noise_db=(0.0, 30.0)), generator) - sound
    decibels = 10 * (sound.square().mean(1) / added.square().mean(1)).log10()
    assert -0.5 < float(decibels.min()) < 5 and 25 < float(decibels.max()) < 30.5


def test_a_phrase_without_words_is_rejected():
    with pytest.raises(ValueError, match="no hay ninguna palabra que unir"):
        joined(PEOPLE[0], [], STEADY, torch.Generator())
