"""Los límites del sonido: lo último que se admite, con su valor, y lo primero que ya no."""

import math

import pytest
import torch

from tfcourse.audio.decibels import to_decibels
from tfcourse.audio.griffin_lim import griffin_lim
from tfcourse.audio.mel import MelConfig, hz_to_mel
from tfcourse.audio.mfcc import dct_matrix
from tfcourse.audio.resampling import decimate, low_pass, low_pass_kernel, seconds_of
from tfcourse.audio.signals import quantize, times
from tfcourse.audio.stft import istft, stft
from tfcourse.audio.windows import cosine_window, split_frames

WAVE = torch.randn(32, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
SPECTRUM = stft(WAVE, 8, 4)
LIMITS = {
    "una muestra por segundo": (lambda f: seconds_of(WAVE, f), 1, 0),
    "una muestra": (lambda s: times(s, 8), 1 / 8, 1 / 32),
    "un bit": (lambda bits: quantize(WAVE, bits), 1, 0),
    "veinticuatro bits": (lambda bits: quantize(WAVE, bits), 24, 25),
    "silencio": (lambda p: to_decibels(torch.tensor([p])), 0.0, -1e-3),
    "referencia positiva": (lambda r: to_decibels(torch.ones(1), r), 1e-3, 0.0),
    "suelo positivo": (lambda f: to_decibels(torch.ones(1), floor_db=f), 0.1, 0.0),
    "espectro sin signo": (lambda m: griffin_lim(torch.full((5, 9), m), 4, 32, 1), 0.0, -1.0),
    "mel de 0 Hz": (lambda hz: hz_to_mel(torch.tensor([hz])), 0.0, -1.0),
    "mel desde 0": (lambda hz: MelConfig(low=hz), 0.0, -1.0),
    "mel de menos a más": (lambda hz: MelConfig(low=300.0, high=hz), 301.0, 300.0),
    "mel hasta Nyquist": (lambda hz: MelConfig(high=hz), 4_000.0, 4_001.0),
    "mel: ventana par": (lambda n: MelConfig(n_fft=n), 2, 3),
    "mel: ventana positiva": (lambda n: MelConfig(n_fft=n), 2, 0),
    "mel: salto": (lambda n: MelConfig(hop=n), 1, 0),
    "mel: una banda": (lambda n: MelConfig(n_mels=n), 1, 0),
    "mel: suelo": (lambda floor: MelConfig(floor=floor), 1e-12, 0.0),
    "un coeficiente": (lambda n: dct_matrix(n, 4), 1, 0),
    "todos los coeficientes": (lambda n: dct_matrix(n, 4), 4, 5),
    "corte positivo": (lambda hz: low_pass_kernel(hz, 8_000), 0.1, 0.0),
    "corte bajo Nyquist": (lambda hz: low_pass_kernel(hz, 8_000), 3_999.0, 4_000.0),
    "quedarse con todas": (lambda n: decimate(WAVE, n, 8_000), 1, 0),
    "ventana de una muestra": (lambda n: cosine_window(n, (0.5, 0.5)), 1, 0),
    "salto de una": (lambda n: split_frames(WAVE, 8, n), 1, 0),
    "tramo de una": (lambda n: split_frames(WAVE, n, 1), 1, 0),
    "tramo de toda la onda": (lambda n: split_frames(WAVE, n, 1), 32, 33),
    "salto de media ventana": (lambda n: istft(SPECTRUM, n, 24), 4, 8),
    "ni una muestra de más": (lambda n: istft(SPECTRUM, 4, n), 35, 37),
}


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_what_the_limits_are_worth():
    assert times(1 / 8, 8).tolist() == [0.0]
    # Con un bit hay dos niveles, −1 y 0.
    assert quantize(torch.tensor([-2.0, -0.6, 0.4, 2.0]), 1).tolist() == [-1.0, -1.0, 0.0, 0.0]
    assert to_decibels(torch.zeros(1)).item() == pytest.approx(-100)
    assert to_decibels(torch.tensor([1.0, 1e-9]), floor_db=30.0).tolist() == [0.0, -30.0]
    assert hz_to_mel(torch.zeros(1)).item() == 0.0
    assert torch.equal(decimate(WAVE, 1, 8_000), WAVE)
    dct = dct_matrix(4, 4, torch.float64)
    torch.testing.assert_close(dct @ dct.T, torch.eye(4, dtype=torch.float64))
    assert seconds_of(WAVE, 1) == 32


def test_a_low_pass_lets_a_constant_through_and_keeps_the_length():
    kernel = low_pass_kernel(1_000.0, 8_000)
    assert len(kernel) == 129 and kernel.sum().item() == pytest.approx(1.0)
    torch.testing.assert_close(kernel, kernel.flip(0))
    ones = torch.ones(400)
    assert low_pass(ones, 1_000.0, 8_000).shape == ones.shape
    torch.testing.assert_close(low_pass(ones, 1_000.0, 8_000)[70:-70], ones[70:-70])
    # El seno cardinal: se anula cada f_s / (2 · corte) muestras desde el centro.
    assert kernel[64] == kernel.max() and abs(kernel[64 + 4]) < 1e-6 < abs(kernel[64 + 2])
    assert math.isclose(kernel[64 + 2] / kernel[64], 2 / math.pi, rel_tol=0.01)
