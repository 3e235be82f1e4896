"""Tono de una voz: cada cuánto se repite la onda."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.signals import check_rate, check_wave
from tfcourse.audio.windows import split_frames

LOWEST, HIGHEST = 60.0, 400.0  # hercios: entre un bajo y una voz infantil
FRAME_SECONDS = 0.05
VOICED, CLOSE = 0.35, 0.1  # lo distinta que puede ser la repetición, y lo que se perdona


def pitch_of(wave: Float[Tensor, " T"], sample_rate: int) -> float:
    """Frecuencia fundamental mediana de una voz, en hercios.

    En cada tramo se busca el primer retraso con el que la onda casi se repite; cuentan los tramos
    en los que se repite y que no son de los más flojos. Si no hay ninguno (silencio, un susurro),
    NaN. Fuente: el método YIN, de de Cheveigné y Kawahara (2002), sin interpolar.
    Errores: los de `check_wave` y `check_rate`; `ValueError` si la onda no llega a un tramo.
    """
    check_wave(wave)
    check_rate(sample_rate)
    size = round(FRAME_SECONDS * sample_rate)
    frames = split_frames(wave, size, size // 2)
    frames = frames - frames.mean(dim=-1, keepdim=True)
    shortest, longest = math.ceil(sample_rate / HIGHEST), int(sample_rate / LOWEST)
    change = repetition_error(frames, longest)[:, shortest - 1 :]
    inside = change[:, 1:-1]
    dips = (inside <= change[:, :-2]) & (inside <= change[:, 2:])
    least = inside.amin(dim=-1, keepdim=True)
    first = (dips & (inside <= least + CLOSE)).float().argmax(dim=-1)
    energy = frames.square().sum(dim=-1)
    voiced = (least[:, 0] < VOICED) & dips.any(dim=-1) & (energy > 0.1 * energy.amax())
    if not voiced.any():
        return math.nan
    return sample_rate / float((first[voiced] + shortest + 1).double().median())


def repetition_error(frames: Float[Tensor, "N T"], longest: int) -> Float[Tensor, "N lags"]:
    """Cuánto cambia cada tramo si se retrasa de 1 a `longest` muestras, entre lo que suele cambiar.

    Vale casi 0 si se repite con ese retraso, y alrededor de 1 si no. Dividir entre la media de los
    retrasos menores evita que gane uno muy corto. Fuente: de Cheveigné y Kawahara (2002), § II.
    """
    width = frames.shape[-1] - longest
    head = frames[:, :width]
    moved = (frames[:, lag : lag + width] for lag in range(1, longest + 1))
    error = torch.stack([(head - other).square().sum(dim=-1) for other in moved], dim=1)
    usual = error.cumsum(dim=1) / torch.arange(1, longest + 1, device=frames.device)
    return error / usual.clamp_min(1e-12)


def semitones(first: float, second: float) -> float:
    """Cuántos semitonos separan dos frecuencias: doce por octava, sin signo."""
    return abs(12 * math.log2(first / second))
