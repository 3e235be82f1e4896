"""Qué aporta cada ayuda al entrenar a escribir lo que se oye: los mismos pasos, sin una cada vez.

Se vuelve a medir con `python -m benchmarks whisper_ayudas --escribir`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.datasets.sounds.spoken_phrases import reserved_phrases
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS
from tfcourse.sound.transcription.recipe import Recipe, train, word_error

NAME = "whisper_ayudas"
WHOLE = Recipe()
RECIPES = {
    "con las tres": WHOLE,
    "sin CTC": replace(WHOLE, ctc=0.0),
    "sin frases cortas al principio": replace(WHOLE, short_steps=0),
    "sin tapar bandas": replace(WHOLE, hidden_bands=0),
}


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "voices": [list(TRAIN_VARIANTS), list(TEST_VARIANTS)],
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta: error por palabra con voces reservadas."""
    test = reserved_phrases()
    for seed in seeds:
        for name, recipe in RECIPES.items():
            model = train(recipe, seed).model
            yield {"seed": seed, "recipe": name, "wer": word_error(model, test)}
