"""Clasificador de sonidos: formas, volumen y bandas centradas."""

import pytest
import torch
import torchaudio

from tfcourse.audio.mel import MelConfig
from tfcourse.models.sound_classifier import LogMel, SoundClassifier, SoundConfig, SoundStem

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


def test_bad_sizes_are_explained():
    with pytest.raises(ValueError, match="n_layers=0: tiene que ser al menos 1"):
        SoundConfig(3, n_layers=0)
    with pytest.raises(ValueError, match="NaN"):
        SoundClassifier(SoundConfig(3, **SMALL))(torch.full((1, 500), float("nan")))
