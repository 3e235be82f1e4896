"""Señales: muestras, alias, filtros, bits y ruido, contra sus fórmulas."""

import math

import pytest
import torch
import torchaudio
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.audio.resampling import (
    decimate,
    fit_length,
    low_pass,
    low_pass_kernel,
    resampled,
    seconds_of,
)
from tfcourse.audio.signals import (
    add_noise,
    alias_frequency,
    check_wave,
    power,
    quantize,
    sweep,
    times,
    tone,
)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 40_000), st.sampled_from([4_000, 8_000, 11_025]))
def test_a_tone_and_its_alias_have_the_same_samples(frequency, rate):
    alias = alias_frequency(frequency, rate)
    assert 0 <= alias <= rate / 2
    n = torch.arange(50, dtype=torch.float64)
    first, second = (torch.cos(2 * math.pi * f * n / rate) for f in (frequency, alias))
    torch.testing.assert_close(first, second, atol=1e-8, rtol=0)


def test_a_tone_has_its_amplitude_frequency_and_phase():
    wave = tone(1_000, 0.01, 8_000, amplitude=0.3, phase=math.pi / 2)
    expected = [-0.3 * math.sin(2 * math.pi * 1_000 * n / 8_000) for n in range(80)]
    torch.testing.assert_close(wave, torch.tensor(expected), atol=1e-6, rtol=0)
    assert times(0.5, 8)[3] == 3 / 8


def test_a_tone_and_a_sweep_reach_half_scale_if_nothing_is_said():
    """Queda sitio para sumar dos sin recortar, y un barrido sin barrer es un tono."""
    assert tone(0, 0.01, 8_000).tolist() == [0.5] * 80
    torch.testing.assert_close(sweep(100, 100, 0.1, 8_000), tone(100, 0.1, 8_000))


def test_a_sweep_goes_from_one_frequency_to_the_other():
    wave = sweep(100, 900, 2.0, 8_000, amplitude=1.0)
    crossings = (wave[1:] * wave[:-1] < 0).float()
    # En cada tramo de 0,1 s hay dos cruces por vuelta.
    rates = crossings[: 20 * 800 - 1].split(800)
    assert float(rates[0].sum()) / 0.2 == pytest.approx(120, abs=20)
    assert float(rates[19].sum()) / 0.2 == pytest.approx(880, abs=20)


@pytest.mark.parametrize("bits", [6, 8, 12])
def test_each_bit_is_worth_six_decibels(bits):
    wave = tone(441.3, 2.0, 8_000, amplitude=1 - 2.0 ** (1 - bits)).double()
    noise = quantize(wave, bits) - wave
    assert 10 * math.log10(power(wave) / power(noise)) == pytest.approx(6.02 * bits + 1.76, abs=0.5)
    assert len(quantize(torch.linspace(-1, 1, 9_999), bits).unique()) == 2**bits


@pytest.mark.parametrize("snr", [30.0, 0.0, -10.0])
def test_noise_has_the_asked_ratio(snr):
    waves = torch.randn(3, 4_000, generator=generator()) * torch.tensor([[0.01], [1.0], [5.0]])
    noise = add_noise(waves, snr, generator(1)) - waves
    found = 10 * torch.log10(power(waves) / power(noise))
    torch.testing.assert_close(found, torch.full((3,), snr), atol=1e-2, rtol=0)
    assert torch.equal(add_noise(waves, snr, generator(1)), add_noise(waves, snr, generator(1)))


def test_silence_gets_no_noise_and_each_wave_its_level():
    waves = torch.stack([torch.zeros(100), torch.ones(100)])
    noisy = add_noise(waves, torch.tensor([0.0, 10.0]), generator())
    assert not noisy[0].any()
    assert float(power(noisy[1] - 1)) == pytest.approx(0.1)


def test_the_filter_keeps_the_low_and_removes_the_high():
    assert float(low_pass_kernel(1_000, 8_000).sum()) == pytest.approx(1.0)
    for frequency, gain in ((100, 1.0), (800, 1.0), (1_300, 0.0), (3_500, 0.0)):
        wave = low_pass(tone(frequency, 0.5, 8_000), 1_000, 8_000)[400:-400]
        assert float(wave.abs().max()) == pytest.approx(0.5 * gain, abs=0.01), frequency


def test_decimating_with_a_filter_leaves_no_alias():
    high, low = tone(3_000, 0.5, 8_000), tone(500, 0.5, 8_000)
    assert decimate(high, 2, 8_000)[200:-200].abs().max() < 1e-3
    assert torch.equal(decimate(high, 2, 8_000, protect=False), high[::2])
    torch.testing.assert_close(
        decimate(low, 2, 8_000)[200:-200], tone(500, 0.5, 4_000)[200:-200], atol=2e-3, rtol=0
    )
    assert torch.equal(decimate(low, 1, 8_000), low)


def test_resampling_is_that_of_torchaudio():
    wave = torch.randn(2, 2_205, generator=generator(), dtype=torch.float64)
    expected = torchaudio.functional.resample(wave, 22_050, 8_000)
    torch.testing.assert_close(resampled(wave, 22_050, 8_000), expected, atol=1e-12, rtol=0)
    assert resampled(wave, 8_000, 8_000) is wave
    assert seconds_of(wave, 22_050) == 0.1
    with pytest.raises(ValueError, match="que no son números"):
        resampled(torch.full((4,), math.nan), 8_000, 4_000)


def test_fit_length_centers():
    assert fit_length(torch.tensor([1.0, 2.0]), 5).tolist() == [0, 1, 2, 0, 0]
    assert fit_length(torch.arange(5.0), 3).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: check_wave(torch.tensor([1], dtype=torch.int16)), TypeError, "entre 32 768"),
        (lambda: check_wave([0.1]), TypeError, "de tipo list"),
        (lambda: check_wave(torch.zeros(0)), ValueError, "está vacía"),
        (lambda: check_wave(torch.tensor([float("nan"), 1, float("inf")])), ValueError, "2 muest"),
        (lambda: tone(100, 0.0, 8_000), ValueError, "no cabe ni una muestra"),
        (lambda: alias_frequency(100, 0), ValueError, "muestras por segundo"),
        (lambda: quantize(torch.zeros(3), 0), ValueError, "entre 1 y 24"),
        (lambda: low_pass_kernel(4_000, 8_000), ValueError, "entre 0 y 4000 Hz"),
        (lambda: decimate(torch.zeros(9), 0, 8_000), ValueError, "entero positivo"),
    ],
)
def test_bad_input_is_explained(call, error, message):
    with pytest.raises(error, match=message):
        call()
