"""Una lengua más para Whisper: lo que cuesta aprender dos a la vez, y qué pasa si se le dice otra.

Se vuelve a medir con `python -m benchmarks whisper_lenguas --escribir`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.datasets.sounds.spoken_phrases import reserved_phrases
from tfcourse.datasets.sounds.synthesizer import ACCENTS
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS
from tfcourse.sound.transcription.two_languages import (
    ALONE,
    BOTH,
    LANGUAGES,
    hearing,
    named_share,
    train,
)

NAME = "whisper_lenguas"
RECIPES = {
    "solo español": ALONE["es"],
    "solo inglés": ALONE["en"],
    "las dos": BOTH,
    "las dos, el doble de pasos": replace(BOTH, steps=2 * BOTH.steps),
}


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "voices": [list(TRAIN_VARIANTS), list(TEST_VARIANTS)],
        "accents": ACCENTS,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, receta, lengua que se habla y símbolo dado, con voces reservadas."""
    test = {language: reserved_phrases(language=language) for language in LANGUAGES}
    for seed in seeds:
        for name, recipe in RECIPES.items():
            model = train(recipe, seed).model
            for language in recipe.languages:
                named = (
                    named_share(model, test[language]) if recipe.languages != (language,) else None
                )
                for symbol in recipe.languages:
                    row = {"seed": seed, "recipe": name, "spoken": language, "symbol": symbol}
                    yield row | {"named": named} | hearing(model, test[language], symbol)
