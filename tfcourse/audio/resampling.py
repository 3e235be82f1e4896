"""Cambiar de frecuencia de muestreo sin alias: filtro paso bajo y remuestreo."""

import math
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.signals import check_rate, check_wave
from tfcourse.audio.windows import hann_window


def low_pass_kernel(cutoff: float, sample_rate: int, half_width: int = 64) -> Float[Tensor, " K"]:
    """Filtro paso bajo de `2·half_width + 1` coeficientes: un seno cardinal con ventana de Hann.

    `cutoff` es la frecuencia de corte en hercios. Los coeficientes suman 1, así que una señal
    constante pasa igual.
    Errores: `ValueError` si el corte no está entre 0 y la mitad de `sample_rate`.
    """
    check_rate(sample_rate)
    if not 0 < cutoff < sample_rate / 2:
        raise ValueError(
            f"cutoff={cutoff} Hz: tiene que estar entre 0 y {sample_rate / 2:g} Hz, la mitad de la "
            "frecuencia de muestreo"
        )
    n = torch.arange(-half_width, half_width + 1, dtype=torch.float64)
    kernel = torch.sinc(2 * cutoff / sample_rate * n)
    kernel = kernel * hann_window(2 * half_width + 2, dtype=torch.float64)[1:]
    return (kernel / kernel.sum()).float()


def low_pass(
    wave: Float[Tensor, "... T"], cutoff: float, sample_rate: int, half_width: int = 64
) -> Float[Tensor, "... T"]:
    """Quita de una onda lo que vibra más deprisa que `cutoff` hercios; conserva la longitud."""
    kernel = low_pass_kernel(cutoff, sample_rate, half_width).to(wave.dtype)
    rows = wave.reshape(-1, 1, wave.shape[-1])
    return F.conv1d(rows, kernel[None, None], padding=half_width).view(wave.shape)


def decimate(
    wave: Float[Tensor, "... T"], factor: int, sample_rate: int, *, protect: bool = True
) -> Float[Tensor, "... N"]:
    """Se queda con una de cada `factor` muestras.

    Con `protect`, quita antes lo que no cabe a la frecuencia nueva; sin él, aparecen alias.
    Errores: `ValueError` si `factor` no es un entero positivo.
    """
    if factor < 1:
        raise ValueError(f"factor={factor}: usa un entero positivo")
    if protect and factor > 1:
        wave = low_pass(wave, 0.45 * sample_rate / factor, sample_rate)
    return wave[..., ::factor]


def resampled(wave: Float[Tensor, "... T"], old_rate: int, new_rate: int) -> Float[Tensor, "... N"]:
    """La misma señal con otra frecuencia de muestreo; la calcula torchaudio, con filtro.

    Errores: los de `check_wave` y `check_rate`.
    """
    check_wave(wave)
    check_rate(old_rate)
    check_rate(new_rate)
    if old_rate == new_rate:
        return wave
    return _resampler(old_rate, new_rate, wave.dtype).to(wave.device)(wave)


@cache
def _resampler(old_rate: int, new_rate: int, dtype: torch.dtype) -> torch.nn.Module:
    """El filtro de torchaudio, que cuesta más calcular que aplicar."""
    from torchaudio.transforms import Resample

    return Resample(old_rate, new_rate, dtype=dtype)


def seconds_of(wave: Float[Tensor, "... T"], sample_rate: int) -> float:
    """Cuánto dura una onda."""
    check_rate(sample_rate)
    return wave.shape[-1] / sample_rate


def fit_length(wave: Float[Tensor, "... T"], length: int) -> Float[Tensor, "... length"]:
    """La onda centrada en `length` muestras: con silencio a los lados, o recortada por ellos."""
    extra = length - wave.shape[-1]
    left = math.floor(extra / 2)
    return F.pad(wave, (left, extra - left))
