"""Señales: tonos y barridos, lo que cabe en cada muestra, ruido y comprobaciones de entrada."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def check_wave(wave: object) -> None:
    """Comprueba que una onda `(..., T)` se puede analizar.

    Errores: `TypeError` si sus muestras no son números reales con decimales; `ValueError` si está
    vacía o tiene muestras que no son números.
    """
    if not torch.is_tensor(wave) or not wave.is_floating_point():
        kind = getattr(wave, "dtype", type(wave).__name__)
        raise TypeError(
            f"llegó una onda de tipo {kind} y se esperaban números con decimales entre −1 y 1: si "
            "son enteros de 16 bits, divide entre 32 768"
        )
    if wave.ndim == 0 or wave.shape[-1] == 0:
        raise ValueError("la onda está vacía: hace falta al menos una muestra")
    if not wave.isfinite().all():
        bad = int((~wave.isfinite()).sum())
        raise ValueError(
            f"la onda tiene {bad} muestras que no son números (NaN o infinito): busca de dónde "
            "vienen antes de seguir; un solo NaN ensucia todo el espectro"
        )


def check_rate(sample_rate: float) -> None:
    """Comprueba una frecuencia de muestreo, en hercios. Errores: `ValueError` si no es positiva."""
    if not sample_rate > 0:
        raise ValueError(f"sample_rate={sample_rate}: son muestras por segundo, p. ej. 8000")


def times(seconds: float, sample_rate: int) -> Float[Tensor, " T"]:
    """Instantes de las muestras, en segundos: n / f_s."""
    check_rate(sample_rate)
    count = round(seconds * sample_rate)
    if count < 1:
        raise ValueError(f"seconds={seconds}: no cabe ni una muestra a {sample_rate} Hz")
    return torch.arange(count, dtype=torch.float64) / sample_rate


def tone(
    frequency: float, seconds: float, sample_rate: int, *, amplitude: float = 0.5, phase: float = 0
) -> Float[Tensor, " T"]:
    """Tono puro: a · cos(2π f t + φ), muestreado.

    `frequency`, en hercios; `phase`, en radianes. No se comprueba que `frequency` quepa bajo la
    mitad de `sample_rate`: si no cabe, sale su alias.
    """
    angle = 2 * math.pi * frequency * times(seconds, sample_rate) + phase
    return (amplitude * torch.cos(angle)).float()


def sweep(
    first: float, last: float, seconds: float, sample_rate: int, *, amplitude: float = 0.5
) -> Float[Tensor, " T"]:
    """Barrido: un tono cuya frecuencia va de `first` a `last` hercios, a paso constante."""
    t = times(seconds, sample_rate)
    angle = 2 * math.pi * (first * t + (last - first) * t**2 / (2 * seconds))
    return (amplitude * torch.cos(angle)).float()


def alias_frequency(frequency: float, sample_rate: float) -> float:
    """Frecuencia, entre 0 y f_s / 2, con la que se confunde un tono al muestrearlo.

    Restar un múltiplo de f_s no cambia ninguna muestra de un coseno, y cambiar de signo tampoco.
    """
    check_rate(sample_rate)
    return abs(frequency - sample_rate * round(frequency / sample_rate))


def quantize(wave: Float[Tensor, "..."], bits: int) -> Float[Tensor, "..."]:
    """Redondea cada muestra, entre −1 y 1, al más cercano de 2^bits niveles.

    Lo que pase de ±1 se recorta. Errores: `ValueError` si no hay entre 1 y 24 bits.
    """
    if not 1 <= bits <= 24:
        raise ValueError(f"bits={bits}: usa entre 1 y 24")
    levels = 2 ** (bits - 1)
    return (wave * levels).round().clamp(-levels, levels - 1) / levels


def power(wave: Float[Tensor, "... T"]) -> Float[Tensor, "..."]:
    """Potencia media: la media de los cuadrados de las muestras."""
    return wave.square().mean(dim=-1)


def add_noise(
    wave: Float[Tensor, "... T"], snr_db: float | Tensor, generator: torch.Generator
) -> Float[Tensor, "... T"]:
    """Suma ruido blanco con la relación señal-ruido pedida, en decibelios.

    0 dB es tanto ruido como señal; `snr_db` puede ser un número por onda. El silencio se queda
    como está, porque no tiene potencia con la que comparar.
    """
    noise = torch.randn(wave.shape, generator=generator, dtype=wave.dtype)
    level = torch.as_tensor(snr_db, dtype=wave.dtype)
    wanted = power(wave) / 10 ** (level / 10)
    return wave + noise * (wanted / power(noise)).sqrt()[..., None]
