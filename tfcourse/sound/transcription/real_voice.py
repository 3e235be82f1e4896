"""Una persona de verdad que dicta cifras: frases montadas con sus grabaciones."""

from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.sounds.recorded_digits import SPEAKER, recorded_digits
from tfcourse.datasets.sounds.spoken_phrases import STEADY, Phrase, Speaker, draw_phrase

N_PHRASES = 60
QUIET = 0.02  # parte del pico por debajo de la cual no suena nada


def without_edges(wave: Float[Tensor, " T"], quiet: float = QUIET) -> Float[Tensor, " N"]:
    """La onda sin el silencio de los lados.

    Errores: `ValueError` si no suena nada.
    """
    loud = (wave.abs() > quiet * wave.abs().max()).nonzero()
    if not len(loud):
        raise ValueError("en la grabación no suena nada: no hay palabra que recortar")
    return wave[int(loud[0]) : int(loud[-1]) + 1]


def recorded_speaker(folder: Path | None = None, speaker: str = SPEAKER) -> Speaker:
    """Una persona de las grabaciones, como si fuera una voz más.

    Cada cifra, sin el silencio de los lados. Errores: los de `recorded_digits`.
    """
    digits = recorded_digits(folder, seconds=2.0, speaker=speaker)
    return Speaker(speaker, tuple(without_edges(wave) for wave in digits.waves))


def recorded_phrases(seed: int, folder: Path | None = None) -> tuple[Phrase, ...]:
    """Frases de tres a seis cifras hechas con sus grabaciones."""
    people, generator = [recorded_speaker(folder)], torch.Generator().manual_seed(seed)
    return tuple(draw_phrase(people, STEADY, generator) for _ in range(N_PHRASES))
