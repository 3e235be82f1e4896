"""De un espectrograma sin fase a un sonido: el algoritmo de Griffin y Lim."""

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.stft import istft, stft


def griffin_lim(
    magnitude: Float[Tensor, "... bins frames"], hop: int, length: int, steps: int = 32
) -> Float[Tensor, "... length"]:
    """Busca una onda cuyo espectrograma de amplitud se parezca al dado.

    Parte de fase 0 y alterna: vuelve a la onda, la analiza y se queda con su fase y con la amplitud
    pedida. El error no crece en ningún paso, pero puede quedarse en un mínimo local.
    Fuente: Griffin y Lim (1984), § III. Errores: `ValueError` si alguna amplitud es negativa.
    """
    if (magnitude < 0).any():
        raise ValueError("hay amplitudes negativas: pasa |STFT|, no decibelios ni logaritmos")
    n_fft = 2 * (magnitude.shape[-2] - 1)
    spectrum = magnitude.to(
        torch.complex64 if magnitude.dtype == torch.float32 else torch.complex128
    )
    for _ in range(steps):
        wave = istft(spectrum, hop, length)
        phase = stft(wave, n_fft, hop).angle()
        spectrum = torch.polar(magnitude, phase)
    return istft(spectrum, hop, length)


def spectral_convergence(
    wave: Float[Tensor, "... T"], magnitude: Float[Tensor, "... bins frames"], hop: int
) -> float:
    """Lo que difiere el espectrograma de una onda del pedido, como parte de él: 0 es perfecto."""
    n_fft = 2 * (magnitude.shape[-2] - 1)
    found = stft(wave, n_fft, hop).abs()
    return float((found - magnitude).norm() / magnitude.norm())
