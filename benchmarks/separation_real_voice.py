"""Cuánto baja la separación cuando hablan personas: los mismos pesos, con voces de verdad.

Se mide con `python -m benchmarks separacion_voz_real --escribir`; hacen falta las grabaciones
de `tfcourse.datasets.sounds.recorded_digits`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations

from tfcourse.audio.pitch import semitones
from tfcourse.datasets.sounds.recorded_digits import PEOPLE
from tfcourse.datasets.sounds.voice_mixtures import (
    STEADY,
    Mixtures,
    draw_mixtures,
    reserved_mixtures,
    speaker_pitch,
)
from tfcourse.sound.separation.metrics import gains, ideal_gains
from tfcourse.sound.separation.recipe import load
from tfcourse.sound.transcription.real_voice import QUIET, recorded_speaker
from tfcourse.weights.shipped import weights_card

NAME = "separacion_voz_real"
SEPARATOR = "sepformer_cifras"
N_MIXTURES = 60
SYNTHETIC = "voces sintéticas"


def settings() -> dict:
    """La receta del estudio."""
    return {
        "weights": weights_card(SEPARATOR).sha256,
        "mixtures": N_MIXTURES,
        "quiet": QUIET,
        "changes": asdict(STEADY),
        "people": list(PEOPLE),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y pareja: mejora, la de la máscara ideal y semitonos entre sus tonos."""
    model = load(SEPARATOR)
    people = {name: recorded_speaker(speaker=name) for name in PEOPLE}

    def row(seed: int, pair: str, mixtures: Mixtures, apart: float | None) -> dict:
        gain, ideal = float(gains(model, mixtures).mean()), float(ideal_gains(mixtures).mean())
        return {"seed": seed, "pair": pair, "gain": gain, "ideal": ideal, "semitones": apart}

    for seed in seeds:
        yield row(seed, SYNTHETIC, reserved_mixtures(N_MIXTURES, seed=2_000 + seed), None)
        for names in combinations(PEOPLE, 2):
            pair = [people[name] for name in names]
            apart = semitones(*map(speaker_pitch, pair))
            mixtures = draw_mixtures(pair, N_MIXTURES, STEADY, seed)
            yield row(seed, " y ".join(names), mixtures, apart)
