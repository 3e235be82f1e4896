"""Transformada de Fourier de tiempo corto: un espectro por tramo, y el camino de vuelta."""

import torch
from jaxtyping import Complex, Float
from torch import Tensor

from tfcourse.audio.signals import check_wave
from tfcourse.audio.windows import center_pad, hann_window, overlap_add, split_frames


def stft(
    wave: Float[Tensor, "... T"],
    n_fft: int,
    hop: int,
    window: Float[Tensor, " n_fft"] | None = None,
) -> Complex[Tensor, "... bins frames"]:
    """Transformada de Fourier de tiempo corto, con ventana de Hann si no se da otra.

    Devuelve `n_fft / 2 + 1` frecuencias por `1 + T // hop` instantes; el tramo t está centrado en
    la muestra `t · hop`. Errores: los de `check_wave`; `ValueError` si la ventana no mide `n_fft`.
    """
    check_wave(wave)
    if window is None:
        window = hann_window(n_fft, wave.dtype).to(wave.device)
    if window.shape != (n_fft,):
        raise ValueError(f"la ventana mide {len(window)} y n_fft={n_fft}: tienen que coincidir")
    frames = split_frames(center_pad(wave, n_fft), n_fft, hop)
    return torch.fft.rfft(frames * window).mT


def istft(
    spectrum: Complex[Tensor, "... bins frames"],
    hop: int,
    length: int,
    window: Float[Tensor, " n_fft"] | None = None,
) -> Float[Tensor, "... length"]:
    """Deshace `stft`: junta los tramos por mínimos cuadrados y devuelve `length` muestras.

    Fuente: Griffin y Lim (1984), § II. Errores: `ValueError` si el salto deja huecos.
    """
    n_fft = 2 * (spectrum.shape[-2] - 1)
    if window is None:
        window = hann_window(n_fft, spectrum.real.dtype).to(spectrum.device)
    frames = torch.fft.irfft(spectrum.mT, n_fft) * window
    weight = overlap_add(window.square().expand(spectrum.shape[-1], n_fft).contiguous(), hop)
    inside = slice(n_fft // 2, n_fft // 2 + length)
    total, weight = overlap_add(frames, hop)[..., inside], weight[inside]
    if total.shape[-1] < length or weight.min() < 1e-11:
        raise ValueError(
            f"con hop={hop} y una ventana de {n_fft} quedan muestras que ningún tramo cubre: usa "
            f"un salto de {n_fft // 2} o menos, y no pidas más de lo que había"
        )
    return total / weight


def power_spectrogram(
    wave: Float[Tensor, "... T"],
    n_fft: int,
    hop: int,
    window: Float[Tensor, " n_fft"] | None = None,
) -> Float[Tensor, "... bins frames"]:
    """Espectrograma de potencia: el módulo de la STFT al cuadrado, sin la fase."""
    return stft(wave, n_fft, hop, window).abs().square()
