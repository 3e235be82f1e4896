"""Tono de una voz: cada cuánto se repite la onda."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.signals import check_rate, check_wave
from tfcourse.audio.windows import split_frames

LOWEST, HIGHEST = 60.0, 400.0  # hercios: entre un bajo y una voz infantil
FRAME_SECONDS, VOICED = 0.05, 0.4


def pitch_of(wave: Float[Tensor, " T"], sample_rate: int) -> float:
    """Frecuencia fundamental mediana de una voz, en hercios, por autocorrelación.

    En cada tramo se busca el retraso con el que la onda más se parece a sí misma; cuentan los
    tramos en los que se parece de verdad. Si no hay ninguno (silencio, un susurro), NaN.
    Errores: los de `check_wave` y `check_rate`; `ValueError` si la onda no llega a un tramo.
    """
    check_wave(wave)
    check_rate(sample_rate)
    size = round(FRAME_SECONDS * sample_rate)
    frames = split_frames(wave, size, size // 2)
    frames = frames - frames.mean(dim=-1, keepdim=True)
    power = torch.fft.rfft(frames, 2 * size).abs().square()
    likeness = torch.fft.irfft(power)[:, :size]
    # Con más retraso se suman menos productos: de dos repeticiones iguales gana la más corta.
    energy = likeness[:, :1]
    shortest, longest = math.ceil(sample_rate / HIGHEST), int(sample_rate / LOWEST)
    best, delay = likeness[:, shortest : longest + 1].max(dim=-1)
    voiced = (best > VOICED * energy[:, 0]) & (energy[:, 0] > 0.1 * energy.amax())
    if not voiced.any() or not energy.any():
        return math.nan
    return sample_rate / float((delay[voiced] + shortest).double().median())


def semitones(first: float, second: float) -> float:
    """Cuántos semitonos separan dos frecuencias: doce por octava, sin signo."""
    return abs(12 * math.log2(first / second))
