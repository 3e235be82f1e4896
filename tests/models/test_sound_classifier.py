"""Clasificador de sonidos: formas, volumen, bandas centradas y que memoriza un lote."""

import pytest
import torch
import torchaudio

from tfcourse.audio.mel import MelConfig
from tfcourse.datasets.spoken_words import SpokenWords
from tfcourse.models.sound_classifier import LogMel, SoundClassifier, SoundConfig, SoundStem
from tfcourse.real_voice import NAME, RECIPES, settings
from tfcourse.results import load_results
from tfcourse.sound_recipes import (
    SoundRecipe,
    guesses,
    linear_accuracy,
    mean_spectra,
    trained,
    with_noise,
    word_accuracy,
)

SMALL = {"d_model": 32, "n_layers": 1, "d_hidden": 64}


def waves(count=3, length=4_000, seed=0):
    return 0.1 * torch.randn(count, length, generator=torch.Generator().manual_seed(seed))


def test_shapes_and_maps():
    model = SoundClassifier(SoundConfig(7))
    assert model.tokens(waves()).shape == (3, 16, 96)
    assert model(waves()).shape == (3, 7)
    maps = model.attention_maps(waves())
    assert [m.shape for m in maps] == [(3, 4, 16, 16)] * 2
    torch.testing.assert_close(maps[0].sum(-1), torch.ones(3, 4, 16))


def test_log_mel_is_that_of_torchaudio_normalised():
    config = MelConfig()
    theirs = torchaudio.transforms.MelSpectrogram(8_000, 256, hop_length=128, n_mels=40)(waves())
    x = theirs.clamp(min=config.floor).log10()
    x = x.maximum(x.amax((1, 2), keepdim=True) - 6)
    x = (x - x.mean((1, 2), keepdim=True)) / x.std((1, 2), keepdim=True, correction=0)
    torch.testing.assert_close(LogMel(config)(waves()), x, atol=1e-3, rtol=0)


def test_volume_does_not_matter():
    layer = LogMel(MelConfig(floor=1e-12))
    torch.testing.assert_close(layer(0.01 * waves()), layer(waves()), atol=1e-3, rtol=0)


def test_a_fixed_filter_disappears_with_centered_bands():
    """Un filtro fijo casi no se nota, salvo en la escala; sin centrar, sí."""
    wave = waves(2, 8_000)
    first_order = torch.cat([wave[:, :1], wave[:, 1:] - 0.5 * wave[:, :-1]], dim=1)
    shift = {}
    for centered in (False, True):
        layer = LogMel(MelConfig(floor=1e-12), center_bands=centered)
        before, after = layer(wave), layer(first_order)
        shift[centered] = float((after / after.std() - before / before.std()).abs().mean())
    assert shift[True] < 0.25 * shift[False]
    layer = LogMel(MelConfig(), center_bands=True)
    torch.testing.assert_close(layer(wave).mean(2), torch.zeros(2, 40), atol=1e-5, rtol=0)


def test_silence_and_short_waves_have_an_answer():
    model = SoundClassifier(SoundConfig(4, **SMALL))
    for odd in (torch.zeros(1, 4_000), torch.full((1, 1), 0.3)):
        assert model(odd).isfinite().all()


def test_the_stem_halves_and_only_sees_neighbours():
    stem = SoundStem(40, 16)
    x = torch.randn(1, 40, 21)
    changed = x.clone()
    changed[..., 12:] += 1
    before, after = stem(x), stem(changed)
    assert before.shape == (1, 11, 16)
    assert torch.equal(before[:, :5], after[:, :5]) and not torch.equal(before, after)


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
    data, recipe = tones(), SoundRecipe(steps=12, batch_size=8)
    (model, first), (_, second) = (trained(data, 3, recipe, **SMALL) for _ in range(2))
    assert first.loss == second.loss and first.loss[-1] < 0.3 * first.loss[0]
    assert word_accuracy(model, tones(seed=1)) == 1.0
    assert linear_accuracy(data, tones(seed=1)) == 1.0
    assert mean_spectra(data, MelConfig()).shape == (24, 40)
    assert guesses(model, data).tolist() == data.labels.tolist()


def test_noise_repeats_and_keeps_the_rest():
    data = tones(4)
    noisy = with_noise(data, 10)
    assert torch.equal(noisy.waves, with_noise(data, 10).waves)
    assert torch.equal(noisy.labels, data.labels) and noisy.voices == data.voices
    assert not torch.equal(noisy.waves, data.waves)


def test_bad_sizes_are_explained():
    with pytest.raises(ValueError, match="n_layers=0: tiene que ser al menos 1"):
        SoundConfig(3, n_layers=0)
    with pytest.raises(ValueError, match="NaN"):
        SoundClassifier(SoundConfig(3, **SMALL))(torch.full((1, 500), float("nan")))


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * len(RECIPES) and len(seeds) >= 3
    assert all(row["synthetic"] > row["real"] for row in rows)
    assert all(len(row["heard"].split()) == 10 for row in rows)
