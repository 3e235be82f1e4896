"""La transformada discreta de Fourier: su matriz, su fórmula y la rápida."""

import math

import torch
from jaxtyping import Complex, Float, Shaped
from torch import Tensor


def dft_matrix(size: int, dtype: torch.dtype = torch.complex64) -> Complex[Tensor, "size size"]:
    """Matriz de la transformada discreta de Fourier: e^(−2πi k n / N) en la fila k, columna n.

    Fuente: Cooley y Tukey (1965), ec. 1, con el signo del exponente que usa todo el mundo hoy.
    """
    n = torch.arange(size, dtype=torch.float64)
    angle = -2 * math.pi * torch.outer(n, n).remainder(size) / size
    return torch.polar(torch.ones_like(angle), angle).to(dtype)


def dft(signal: Shaped[Tensor, "... N"]) -> Complex[Tensor, "... N"]:
    """Transformada discreta de Fourier: el producto de la matriz por la señal."""
    check_length(signal)
    dtype = complex_type(signal)
    return signal.to(dtype) @ dft_matrix(signal.shape[-1], dtype)  # la matriz es simétrica


def inverse_dft(spectrum: Complex[Tensor, "... N"]) -> Complex[Tensor, "... N"]:
    """Deshace `dft`: la matriz conjugada, entre N."""
    check_length(spectrum)
    size = spectrum.shape[-1]
    return spectrum @ dft_matrix(size, spectrum.dtype).conj() / size


def fft(signal: Shaped[Tensor, "... N"]) -> Complex[Tensor, "... N"]:
    """Transformada rápida de Fourier: parte en pares e impares, y junta las dos mitades.

    Con N impar no hay mitades y se usa la matriz; con N potencia de dos, hace N log₂ N cuentas.
    Fuente: Cooley y Tukey (1965), con r = 2.
    """
    check_length(signal)
    signal = signal.to(complex_type(signal))
    size = signal.shape[-1]
    if size % 2:
        return dft(signal)
    even, odd = fft(signal[..., 0::2]), fft(signal[..., 1::2])
    turned = odd * dft_matrix(size, signal.dtype)[1, : size // 2]
    return torch.cat([even + turned, even - turned], dim=-1)


def bin_frequencies(size: int, sample_rate: float) -> Float[Tensor, " bins"]:
    """Frecuencia en hercios de cada casilla de 0 a N/2: k · f_s / N."""
    return torch.arange(size // 2 + 1, dtype=torch.float64) * sample_rate / size


def complex_type(signal: Tensor) -> torch.dtype:
    """El tipo complejo con la misma precisión que la señal."""
    if signal.is_complex():
        return signal.dtype
    return torch.complex128 if signal.dtype == torch.float64 else torch.complex64


def check_length(signal: Tensor) -> None:
    """Comprueba que hay algo que transformar. Errores: `ValueError` si no hay muestras."""
    if signal.ndim == 0 or signal.shape[-1] == 0:
        raise ValueError("no hay ninguna muestra: la transformada necesita al menos una")
