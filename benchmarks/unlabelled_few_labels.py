"""Cuántas etiquetas de voz hacen falta: de cero, con lo preentrenado y con log-mel y un lineal.

Se mide con `python -m benchmarks etiquetas_voz --escribir` (unos minutos).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.models.wav2vec2 import Wav2Vec2
from tfcourse.sound.spectrograms.metrics import word_accuracy
from tfcourse.sound.unlabelled.few_labels import (
    SEGMENTS,
    TUNED,
    few_clips,
    log_mel_vectors,
    probe_accuracy,
    train,
    untrained,
    wav2vec_vectors,
)
from tfcourse.sound.unlabelled.recipe import load, short_digits

NAME = "etiquetas_voz"
WAV2VEC = "wav2vec_cifras"
PER_WORD = (1, 5, 20)


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "tuned": asdict(TUNED),
        "per_word": list(PER_WORD),
        "segments": SEGMENTS,
        "weights": WAV2VEC,
    }


def tuned_accuracy(start: Wav2Vec2, few: SpokenWords, seed: int, test: SpokenWords) -> float:
    """Acierto con voces reservadas después de ajustar el modelo con unos clips."""
    return word_accuracy(train(TUNED, seed, start=start, data=few).model, test)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y manera de empezar."""
    clips, test = short_digits()
    shipped = load(WAV2VEC).wav2vec2
    for seed in seeds:
        for per_word in PER_WORD:
            few = few_clips(clips, per_word, seed)
            start = untrained(shipped, seed)
            found = {
                "de cero": tuned_accuracy(start, few, seed, test),
                "preentrenado": tuned_accuracy(shipped, few, seed, test),
                "preentrenado, sonda": probe_accuracy(wav2vec_vectors(shipped), few, test),
                "log-mel y lineal": probe_accuracy(log_mel_vectors(), few, test),
            }
            for name, accuracy in found.items():
                yield {"seed": seed, "per_word": per_word, "start": name, "accuracy": accuracy}
