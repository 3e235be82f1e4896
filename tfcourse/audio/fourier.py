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

    Las dos mitades se transforman a la vez, una encima de otra, así que hay una llamada por nivel.
    Con N impar no hay mitades y se usa la matriz; con N potencia de dos, hace N/2 · log₂ N
    productos. Fuente: Cooley y Tukey (1965), con r = 2.
    """
    check_length(signal)
    signal = signal.to(complex_type(signal))
    size = signal.shape[-1]
    if size == 1:
        return signal
    if size % 2:
        return dft(signal)
    even, odd = fft(torch.stack([signal[..., 0::2], signal[..., 1::2]]))
    turned = odd * half_turn(size, signal.dtype, signal.device)
    return torch.cat([even + turned, even - turned], dim=-1)


def half_turn(
    size: int, dtype: torch.dtype = torch.complex64, device: torch.device | str = "cpu"
) -> Complex[Tensor, " half"]:
    """Giro de cada casilla de la mitad impar: e^(−2πi k / N), con k de 0 a N/2 − 1.

    Es la primera mitad de una sola fila de la matriz; construirla entera costaría N² números.
    """
    angle = -2 * math.pi * torch.arange(size // 2, dtype=torch.float64) / size
    return torch.polar(torch.ones_like(angle), angle).to(dtype=dtype, device=device)


def fft_products(size: int) -> int:
    """Cuántos productos de complejos hace `fft` con una señal de `size` muestras.

    Con N potencia de dos son N/2 · log₂ N; con N impar, los N² de la matriz.
    """
    if size == 1:
        return 0
    return size**2 if size % 2 else 2 * fft_products(size // 2) + size // 2


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
