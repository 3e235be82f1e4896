"""Señales: el alias, los bits, la fuga y cómo crece la transformada rápida, con otros números."""

import math

import pytest
import torch

from tests.recipes import SEEDS
from tfcourse.audio.fourier import fft_products
from tfcourse.audio.resampling import decimate
from tfcourse.audio.signals import alias_frequency, power, quantize, tone
from tfcourse.audio.windows import hann_window
from tfcourse.sound.signals.growth import fitted_exponent

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]
RATE = 8_000


@pytest.mark.parametrize("hertz", [2_300, 3_000, 3_700])
def test_the_filter_takes_away_what_would_fold(hertz):
    folded, kept = (
        decimate(tone(hertz, 0.5, RATE), 2, RATE, protect=protect)[200:-200]
        for protect in (False, True)
    )
    assert folded.abs().max() > 0.4 and kept.abs().max() < 0.01
    spectrum = torch.fft.rfft(folded).abs()
    found = float(spectrum.argmax()) * RATE / 2 / len(folded)
    assert found == pytest.approx(alias_frequency(hertz, RATE / 2), abs=5)


@pytest.mark.parametrize("hertz", [333.3, 441.3, 1_234.5])
def test_each_bit_is_six_decibels(hertz):
    found = []
    for bits in (6, 8, 12, 16):
        wave = tone(hertz, 2.0, RATE, amplitude=1 - 2.0 ** (1 - bits)).double()
        noise = power(quantize(wave.float(), bits).double() - wave)
        found.append(10 * math.log10(power(wave) / noise))
        assert found[-1] == pytest.approx(6.02 * bits + 1.76, abs=0.6)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_a_window_half_a_turn_leaks(seed):
    turns = torch.randint(20, 60, (1,), generator=torch.Generator().manual_seed(seed)).item() + 0.5
    wave = tone(turns * RATE / 256, 256 / RATE, RATE)
    far = {}
    for name, window in (("rectangular", torch.ones(256)), ("Hann", hann_window(256))):
        energy = torch.fft.rfft(wave * window).abs().square()
        top = int(energy.argmax())
        far[name] = float(1 - energy[max(0, top - 4) : top + 5].sum() / energy.sum())
    assert far["rectangular"] > 1e-2 and far["Hann"] < 1e-4


def test_the_fast_one_is_n_log_n_and_the_matrix_n_squared():
    sizes = [2**k for k in range(7, 15)]
    assert all(fft_products(n) == n // 2 * math.log2(n) for n in sizes)
    assert fitted_exponent(sizes, [fft_products(n) for n in sizes]) < 1.2
