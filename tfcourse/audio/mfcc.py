"""Coeficientes cepstrales en frecuencias mel (MFCC): la transformada de coseno del log-mel."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.decibels import to_decibels
from tfcourse.audio.mel import MelConfig, mel_spectrogram

DYNAMIC_RANGE_DB = 80.0  # lo que se conserva por debajo del máximo, como hace torchaudio


def dct_matrix(n_out: int, n_in: int, dtype: torch.dtype = torch.float32) -> Float[Tensor, "o i"]:
    """Matriz de la transformada discreta de coseno (tipo II), con filas ortonormales.

    Fuente: Ahmed et al. (1974), ec. 1. Errores: `ValueError` si se piden más filas que columnas.
    """
    if not 1 <= n_out <= n_in:
        raise ValueError(f"n_out={n_out}: pide entre 1 y {n_in} coeficientes")
    k = torch.arange(n_out, dtype=torch.float64)[:, None]
    n = torch.arange(n_in, dtype=torch.float64)
    matrix = torch.cos(math.pi / n_in * (n + 0.5) * k) * math.sqrt(2 / n_in)
    matrix[0] /= math.sqrt(2)
    return matrix.to(dtype)


def mfcc(
    wave: Float[Tensor, "... T"], config: MelConfig, n_coefficients: int = 13
) -> Float[Tensor, "... n_coefficients frames"]:
    """MFCC: los primeros cosenos de cada columna del espectrograma mel, en decibelios.

    De todo el tensor se conservan 80 dB por debajo del máximo: salen los números de torchaudio.
    Fuente: Davis y Mermelstein (1980), ec. 1.
    """
    matrix = dct_matrix(n_coefficients, config.n_mels, wave.dtype).to(wave.device)
    return matrix @ to_decibels(mel_spectrogram(wave, config), floor_db=DYNAMIC_RANGE_DB)
