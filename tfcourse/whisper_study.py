"""Qué cambia la pérdida CTC: la receta de la página, con ella y sin ella.

Se vuelve a medir con `python -m tfcourse tablas whisper_ctc`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.audio.speech_mel import SPEECH_MEL
from tfcourse.datasets.spoken_phrases import reserved_phrases
from tfcourse.datasets.voices import TEST_VARIANTS, TRAIN_VARIANTS
from tfcourse.models.whisper import VARIANTS
from tfcourse.tokenizers.speech import TRANSLATE
from tfcourse.whisper_recipes import WhisperRecipe, trained, word_error

NAME = "whisper_ctc"
RECIPES = {"con CTC": WhisperRecipe(), "sin CTC": replace(WhisperRecipe(), ctc=0.0)}


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "size": VARIANTS["aula"],
        "mel": asdict(SPEECH_MEL),
        "train_voices": list(TRAIN_VARIANTS),
        "test_voices": list(TEST_VARIANTS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta: el error de cada tarea con voces nuevas."""
    test = reserved_phrases()
    for seed in seeds:
        for name, recipe in RECIPES.items():
            model, history = trained(seed, recipe)
            yield {
                "seed": seed,
                "recipe": name,
                "transcribe": word_error(model, test),
                "translate": word_error(model, test, TRANSLATE),
                "steps": len(history.loss),
            }
