"""Fourier: la matriz, la rápida y la de tiempo corto, contra torch.fft y contra bucles."""

import cmath
import math

import pytest
import torch
import torchaudio
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from tfcourse.audio.fourier import (
    bin_frequencies,
    dft,
    dft_matrix,
    fft,
    fft_products,
    half_turn,
    inverse_dft,
)
from tfcourse.audio.griffin_lim import griffin_lim, spectral_convergence
from tfcourse.audio.signals import tone
from tfcourse.audio.stft import istft, power_spectrogram, stft
from tfcourse.audio.windows import (
    center_pad,
    hamming_window,
    hann_window,
    overlap_add,
    split_frames,
)


def noise(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 70))
def test_both_transforms_are_that_of_torch(size):
    signal = noise(2, size, seed=size)
    for transform in (dft, fft):
        torch.testing.assert_close(transform(signal), torch.fft.fft(signal), atol=1e-9, rtol=0)
    torch.testing.assert_close(inverse_dft(dft(signal)).real, signal, atol=1e-9, rtol=0)


class WrittenNumbers(TorchDispatchMode):
    """Cuenta los números que escribe cada operación, y los productos de las que multiplican."""

    def __init__(self):
        super().__init__()
        self.written = self.products = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if isinstance(out, torch.Tensor):
            self.written += out.numel()
            if func is torch.ops.aten.mul.Tensor and out.is_complex():
                self.products += out.numel()
        return out


@pytest.mark.parametrize("size", [64, 256, 1_024, 4_096])
def test_the_fast_one_is_n_log_n(size):
    """Ni sus productos ni nada de lo que escribe por el camino crece como el cuadrado."""
    signal = noise(size)
    with WrittenNumbers() as count:
        fft(signal)
    levels = int(math.log2(size))
    assert count.products == fft_products(size) == size // 2 * levels
    assert count.written <= 20 * size * levels
    with WrittenNumbers() as plain:
        dft(signal)
    assert plain.written >= size**2


def test_the_products_of_sizes_that_are_not_powers_of_two():
    assert [fft_products(n) for n in (1, 2, 7, 14, 12)] == [0, 1, 49, 105, 48]
    for size in (2, 6, 16):
        expected = dft_matrix(size, torch.complex128)[1, : size // 2]
        torch.testing.assert_close(half_turn(size, torch.complex128), expected)


def test_the_formula_term_by_term():
    signal = noise(5).tolist()
    for k, found in enumerate(dft(torch.tensor(signal, dtype=torch.float64)).tolist()):
        terms = (x * cmath.exp(-2j * math.pi * k * n / 5) for n, x in enumerate(signal))
        assert found == pytest.approx(sum(terms))


def test_the_matrix_is_orthogonal_and_keeps_energy():
    matrix = dft_matrix(48, torch.complex128)
    product = matrix @ matrix.conj().T
    torch.testing.assert_close(product, 48 * torch.eye(48, dtype=matrix.dtype), atol=1e-9, rtol=0)
    signal = noise(48)
    assert float(dft(signal).abs().square().sum() / 48) == pytest.approx(
        float(signal.square().sum())
    )


def test_single_precision_and_complex_signals():
    signal = noise(64).float()
    torch.testing.assert_close(fft(signal), torch.fft.fft(signal), atol=1e-4, rtol=0)
    assert fft(signal).dtype == torch.complex64
    turning = torch.polar(torch.ones(16), torch.arange(16.0))
    torch.testing.assert_close(fft(turning), torch.fft.fft(turning), atol=1e-4, rtol=0)


def test_a_tone_falls_in_its_bin():
    wave = tone(1_000, 256 / 8_000, 8_000)
    place = int(torch.fft.rfft(wave).abs().argmax())
    assert bin_frequencies(256, 8_000)[place] == 1_000
    assert bin_frequencies(256, 8_000)[-1] == 4_000 and len(bin_frequencies(256, 8_000)) == 129


@pytest.mark.parametrize("size", [2, 7, 256])
def test_windows_are_those_of_torch(size):
    for ours, theirs in ((hann_window, torch.hann_window), (hamming_window, torch.hamming_window)):
        torch.testing.assert_close(
            ours(size, torch.float64), theirs(size, dtype=torch.float64), atol=1e-12, rtol=0
        )


def test_shifted_hann_windows_add_up_to_one():
    total = overlap_add(hann_window(64, torch.float64).expand(6, 64).contiguous(), 32)
    torch.testing.assert_close(total[32:-32], torch.ones_like(total[32:-32]), atol=1e-12, rtol=0)


def test_frames_and_overlap_by_loops():
    wave = noise(2, 23)
    frames = split_frames(wave, 8, 5)
    assert frames.shape == (2, 4, 8)
    total = torch.zeros(2, 23, dtype=torch.float64)
    for place in range(4):
        assert torch.equal(frames[:, place], wave[:, 5 * place : 5 * place + 8])
        total[:, 5 * place : 5 * place + 8] += frames[:, place]
    torch.testing.assert_close(overlap_add(frames, 5), total, atol=1e-12, rtol=0)


@pytest.mark.parametrize(("n_fft", "hop"), [(256, 64), (64, 64), (400, 160), (33, 7)])
def test_stft_is_that_of_torch(n_fft, hop):
    wave = noise(2, 1_000)
    window = torch.hann_window(n_fft, dtype=torch.float64)
    expected = torch.stft(wave, n_fft, hop, window=window, return_complex=True)
    torch.testing.assert_close(stft(wave, n_fft, hop), expected, atol=1e-10, rtol=0)
    torch.testing.assert_close(
        power_spectrogram(wave, n_fft, hop), expected.abs() ** 2, atol=1e-9, rtol=0
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 500), st.sampled_from([(64, 16), (64, 32), (128, 48)]))
def test_istft_undoes_stft(length, sizes):
    n_fft, hop = sizes
    wave = noise(2, length, seed=length)
    spectrum = stft(wave, n_fft, hop)
    assert spectrum.shape == (2, n_fft // 2 + 1, 1 + length // hop)
    reached = (spectrum.shape[-1] - 1) * hop + n_fft // 2
    if reached >= length:
        torch.testing.assert_close(istft(spectrum, hop, length), wave, atol=1e-8, rtol=0)


def test_a_frame_only_sees_its_window():
    wave = noise(1_000)
    changed = wave.clone()
    changed[600:] += 1
    before, after = stft(wave, 64, 32), stft(changed, 64, 32)
    assert torch.equal(before[:, : 600 // 32 - 1], after[:, : 600 // 32 - 1])
    assert not torch.equal(before, after)


def test_one_sample_and_padding():
    assert stft(torch.tensor([0.5]), 64, 16).shape == (33, 1)
    assert center_pad(torch.tensor([0.5]), 4).tolist() == [0, 0, 0.5, 0, 0]
    assert center_pad(torch.tensor([1.0, 2, 3]), 4).tolist() == [3, 2, 1, 2, 3, 2, 1]


def test_griffin_lim_is_that_of_torchaudio_and_improves():
    wave = tone(440, 0.25, 8_000).double() * hann_window(2_000, torch.float64)
    magnitude = stft(wave, 128, 32).abs()
    window = torch.hann_window(128, dtype=torch.float64)
    for steps in (1, 5):
        expected = torchaudio.functional.griffinlim(
            magnitude, window, 128, 32, 128, 1.0, steps, 0.0, 2_000, False
        )
        found = griffin_lim(magnitude, 32, 2_000, steps)
        torch.testing.assert_close(found, expected, atol=1e-8, rtol=0)
    errors = [
        spectral_convergence(griffin_lim(magnitude, 32, 2_000, s), magnitude, 32)
        for s in (0, 2, 8, 32)
    ]
    assert errors == sorted(errors, reverse=True) and errors[-1] < 0.2
    assert spectral_convergence(wave, magnitude, 32) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fft(torch.zeros(0)), "ninguna muestra"),
        (lambda: hann_window(0), "al menos una muestra"),
        (lambda: split_frames(torch.zeros(5), 8, 2), "tiene 5 muestras y un tramo, 8"),
        (lambda: split_frames(torch.zeros(9), 8, 0), "tienen que ser positivos"),
        (lambda: stft(torch.zeros(99), 16, 4, torch.ones(8)), "mide 8 y n_fft=16"),
        (lambda: istft(stft(torch.ones(99), 16, 32), 32, 99), "quedan muestras que ningún tramo"),
        (lambda: griffin_lim(-torch.ones(9, 5), 4, 16), "amplitudes negativas"),
    ],
)
def test_bad_input_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()
