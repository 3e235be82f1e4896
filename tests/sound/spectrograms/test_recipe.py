"""Reconocer palabras sueltas: dos veces lo mismo, lo que aprende y con qué se mide."""

import torch

from tfcourse.audio.mel import MelConfig
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.sound.spectrograms.metrics import (
    guesses,
    linear_accuracy,
    majority_accuracy,
    mean_spectra,
    with_noise,
    word_accuracy,
)
from tfcourse.sound.spectrograms.recipe import Recipe, train
from tfcourse.training.budget import CpuSeconds, Steps

SMALL = {"d_model": 32, "n_layers": 1, "d_hidden": 64}


def tones(count=24, seed=0):
    """Clips de dos tonos, fáciles de distinguir."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % 2
    phase = torch.rand(count, 1, generator=generator)
    time = torch.arange(4_000) / 8_000
    frequency = torch.tensor([500.0, 2_000.0])[labels][:, None]
    wave = 0.4 * torch.sin(2 * torch.pi * (frequency * time + phase))
    return SpokenWords(wave, labels, ("una",) * count, ("grave", "agudo"), 8_000)


def test_training_repeats_and_learns():
    data, recipe = tones(), Recipe(steps=12, batch_size=8)
    first, second = (train(recipe, 3, data=data, **SMALL) for _ in range(2))
    loss, model = first.history.loss, first.model
    assert loss == second.history.loss and loss[-1] < 0.3 * loss[0]
    assert first.recipe == recipe and not model.training
    assert word_accuracy(model, tones(seed=1)) == 1.0
    assert linear_accuracy(data, tones(seed=1)) == 1.0
    assert mean_spectra(data, MelConfig()).shape == (24, 40)
    assert guesses(model, data).tolist() == data.labels.tolist()


def test_the_budget_is_the_one_asked_for(fake_clock):
    recipe = Recipe(steps=50, batch_size=8)
    assert len(train(recipe, 0, Steps(2), data=tones(), **SMALL).history.loss) == 2
    timed = train(recipe, 0, CpuSeconds(4 * fake_clock.tick), data=tones(), **SMALL).history
    assert timed.seconds >= 4 * fake_clock.tick and 1 <= len(timed.loss) <= 4


def test_noise_repeats_and_keeps_the_rest():
    data = tones(4)
    noisy = with_noise(data, 10)
    assert torch.equal(noisy.waves, with_noise(data, 10).waves)
    assert torch.equal(noisy.labels, data.labels) and noisy.voices == data.voices
    assert not torch.equal(noisy.waves, data.waves)


def test_the_most_frequent_word_by_hand():
    known, truth = torch.tensor([2, 1, 2, 0]), torch.tensor([2, 2, 0, 1])
    assert majority_accuracy(known, truth) == 0.5
