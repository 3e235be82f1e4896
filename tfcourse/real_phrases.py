"""Cuánto sube el error cuando dicta una persona: los mismos pesos, con voces sintéticas y con una.

Se mide con `python -m tfcourse tablas whisper_voz_real --escribir`; hacen falta las grabaciones de
`tfcourse.datasets.recorded_digits`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.recorded_digits import SPEAKER, recorded_digits
from tfcourse.datasets.spoken_phrases import (
    STEADY,
    Phrase,
    Speaker,
    draw_phrase,
    reserved_phrases,
)
from tfcourse.shipped import weights_card
from tfcourse.transcription import transcribe
from tfcourse.whisper_recipes import SHIPPED_NAME, VOCABULARY, load_shipped, word_error

NAME = "whisper_voz_real"
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


def settings() -> dict:
    """La receta del estudio."""
    return {
        "weights": weights_card(SHIPPED_NAME).sha256,
        "phrases": N_PHRASES,
        "quiet": QUIET,
        "changes": asdict(STEADY),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla: error con voces nuevas y con la persona, y qué oyó en dos frases."""
    model = load_shipped()
    synthetic = word_error(model, reserved_phrases())
    for seed in seeds:
        phrases = recorded_phrases(seed)
        heard = transcribe(model, [phrase.wave for phrase in phrases[:2]], VOCABULARY)
        said = [" ".join(VOCABULARY.words(phrase.labels)) for phrase in phrases[:2]]
        yield {
            "seed": seed,
            "synthetic": synthetic,
            "real": word_error(model, phrases),
            "said": " / ".join(said),
            "heard": " / ".join(heard),
        }
