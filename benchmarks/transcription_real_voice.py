"""Cuánto sube el error cuando dicta una persona: los mismos pesos, con voces sintéticas y con una.

Se mide con `python -m benchmarks whisper_voz_real --escribir`; hacen falta las grabaciones de
`tfcourse.datasets.sounds.recorded_digits`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.sounds.spoken_phrases import STEADY, reserved_phrases
from tfcourse.sound.transcription.real_voice import N_PHRASES, QUIET, recorded_phrases
from tfcourse.sound.transcription.recipe import VOCABULARY, load, word_error
from tfcourse.sound.transcription.transcribe import transcribe
from tfcourse.weights.shipped import weights_card

NAME = "whisper_voz_real"
LISTENER = "whisper_cifras"


def settings() -> dict:
    """La receta del estudio."""
    return {
        "weights": weights_card(LISTENER).sha256,
        "phrases": N_PHRASES,
        "quiet": QUIET,
        "changes": asdict(STEADY),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla: error con voces nuevas y con la persona, y qué oyó en dos frases."""
    model = load(LISTENER)
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
