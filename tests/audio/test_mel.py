"""Decibelios, mel y MFCC, contra torchaudio y contra su definición."""

import math
from dataclasses import replace

import pytest
import torch
import torchaudio
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.audio.decibels import from_decibels, to_decibels
from tfcourse.audio.mel import (
    SCALES,
    VARIANTS,
    MelConfig,
    hz_to_mel,
    log_mel,
    mel_corners,
    mel_filter_bank,
    mel_spectrogram,
    mel_to_hz,
)
from tfcourse.audio.mfcc import dct_matrix, mfcc


def noise(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_decibels_are_those_of_torchaudio():
    power = noise(3, 40).square()
    power[0, 0] = 0
    for top in (None, 80.0, 20.0):
        expected = torchaudio.functional.amplitude_to_DB(power, 10.0, 1e-10, 0.0, top)
        torch.testing.assert_close(to_decibels(power, 1.0, top), expected, atol=1e-9, rtol=0)
    expected = torchaudio.functional.amplitude_to_DB(power, 10.0, 1e-10, math.log10(4.0))
    torch.testing.assert_close(to_decibels(power, 4.0), expected, atol=1e-9, rtol=0)


@settings(deadline=None, max_examples=40)
@given(st.floats(-60, 90), st.floats(0.01, 100))
def test_decibels_go_and_come_back(level, reference):
    power = from_decibels(torch.tensor([level], dtype=torch.float64), reference)
    assert float(to_decibels(power, reference)) == pytest.approx(level, abs=1e-6)


@pytest.mark.parametrize("scale", SCALES)
def test_mel_scales_grow_and_come_back(scale):
    hertz = torch.linspace(0, 12_000, 500, dtype=torch.float64)
    mels = hz_to_mel(hertz, scale)
    assert (mels.diff() > 0).all()
    torch.testing.assert_close(mel_to_hz(mels, scale), hertz, atol=1e-7, rtol=0)


def test_mel_values_of_the_formulas():
    hertz = torch.tensor([0.0, 700, 1_000, 6_400], dtype=torch.float64)
    htk = [2595 * math.log10(1 + f / 700) for f in hertz.tolist()]
    assert hz_to_mel(hertz).tolist() == pytest.approx(htk)
    assert hz_to_mel(hertz, "slaney").tolist() == pytest.approx([0, 10.5, 15, 42])


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize(("rate", "n_fft", "n_mels"), [(8_000, 256, 40), (16_000, 400, 80)])
def test_the_bank_is_that_of_torchaudio(scale, normalize, rate, n_fft, n_mels):
    config = MelConfig(
        rate, n_fft, n_mels=n_mels, low=20.0, scale=scale, normalize=normalize
    )  # fmt: skip
    expected = torchaudio.functional.melscale_fbanks(
        n_fft // 2 + 1, 20.0, rate / 2, n_mels, rate, "slaney" if normalize else None, scale
    )
    torch.testing.assert_close(mel_filter_bank(config), expected.T, atol=1e-5, rtol=0)


def test_the_bank_by_loops():
    config = MelConfig(n_mels=6)
    points = mel_corners(config).tolist()
    for m, row in enumerate(mel_filter_bank(config, torch.float64).tolist()):
        left, center, right = points[m : m + 3]
        for k, weight in enumerate(row):
            f = k * 8_000 / 256
            up, down = (f - left) / (center - left), (right - f) / (right - center)
            assert weight == pytest.approx(max(0.0, min(up, down)))
    low = hz_to_mel(torch.tensor(points, dtype=torch.float64)).diff()
    torch.testing.assert_close(low, low.mean().expand_as(low), atol=1e-8, rtol=0)


def test_slaney_filters_have_the_same_area():
    config = MelConfig(n_fft=8_192, n_mels=10, scale="slaney", normalize=True)
    areas = mel_filter_bank(config, torch.float64).sum(dim=1) * 8_000 / 8_192
    torch.testing.assert_close(areas, torch.ones_like(areas), atol=1e-2, rtol=0)


def test_the_mel_spectrogram_is_that_of_torchaudio():
    config, wave = MelConfig(), noise(2, 3_000).float()
    theirs = torchaudio.transforms.MelSpectrogram(8_000, 256, hop_length=128, n_mels=40)(wave)
    found = mel_spectrogram(wave, config)
    assert found.shape == (2, 40, config.frames(3_000))
    torch.testing.assert_close(found / theirs.max(), theirs / theirs.max(), atol=1e-5, rtol=0)
    torch.testing.assert_close(
        log_mel(wave, config), theirs.clamp(min=1e-6).log10(), atol=1e-4, rtol=0
    )


def test_silence_stays_on_the_floor():
    assert log_mel(torch.zeros(500), MelConfig()).unique().tolist() == [-6.0]
    assert (VARIANTS["whisper"].n_mels, VARIANTS["whisper"].frames(16_000)) == (80, 101)
    assert VARIANTS["whisper-128"] == replace(VARIANTS["whisper"], n_mels=128)


def test_mfcc_is_that_of_torchaudio():
    matrix = dct_matrix(13, 40, torch.float64)
    torch.testing.assert_close(
        matrix @ matrix.T, torch.eye(13, dtype=torch.float64), atol=1e-12, rtol=0
    )
    wave, config = noise(2_000).float(), MelConfig()
    melkwargs = {"n_fft": 256, "hop_length": 128, "n_mels": 40}
    theirs = torchaudio.transforms.MFCC(8_000, 13, melkwargs=melkwargs)
    faint = torch.cat([wave, 1e-6 * wave])  # con silencio: ahí manda el suelo de 80 dB
    for sound in (wave, faint):
        torch.testing.assert_close(mfcc(sound, config), theirs(sound), atol=1e-2, rtol=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: to_decibels(torch.tensor([-1.0])), "potencias negativas"),
        (lambda: to_decibels(torch.ones(2), 0.0), "los dos son positivos"),
        (lambda: to_decibels(torch.ones(2), 1.0, -3.0), "los dos son positivos"),
        (lambda: hz_to_mel(torch.ones(1), "bark"), "usa 'htk' o 'slaney'"),
        (lambda: hz_to_mel(-torch.ones(1)), "frecuencias negativas"),
        (lambda: MelConfig(scale="bark"), "usa 'htk' o 'slaney'"),
        (lambda: MelConfig(high=5_000.0), "entre 0 y 4000 Hz"),
        (lambda: MelConfig(n_fft=255), "n_fft, además, par"),
        (lambda: dct_matrix(41, 40), "entre 1 y 40"),
    ],
)
def test_bad_input_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()
