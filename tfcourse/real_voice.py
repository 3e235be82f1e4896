"""Cuánto baja el acierto cuando habla una persona: entrenar con voces sintéticas y oír una real.

Se mide con `python -m tfcourse tablas voz_real --escribir`, unos dos minutos de procesador; hacen
falta las grabaciones de `tfcourse.datasets.recorded_digits`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.recorded_digits import recorded_digits
from tfcourse.datasets.spoken_words import split_spoken_digits
from tfcourse.datasets.voices import TEST_VARIANTS, TRAIN_VARIANTS
from tfcourse.models.sound_classifier import VARIANTS
from tfcourse.sound_recipes import NOISY, SoundRecipe, guesses, trained, with_noise, word_accuracy

NAME = "voz_real"
NOISE_DB = 10
# Nombre → cómo se entrena y si se centran las bandas.
RECIPES = {
    "voz limpia": (SoundRecipe(), False),
    "bandas centradas": (SoundRecipe(), True),
    "con ruido": (SoundRecipe(changes=NOISY), False),
}


def settings() -> dict:
    """La receta del estudio."""
    return {
        "recipes": {n: [asdict(recipe), center] for n, (recipe, center) in RECIPES.items()},
        "size": VARIANTS["aula"],
        "noise_db": NOISE_DB,
        "train_voices": list(TRAIN_VARIANTS),
        "test_voices": list(TEST_VARIANTS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por receta y semilla: acierto con voces nuevas, con ruido y con una persona."""
    train, test = split_spoken_digits()
    real = recorded_digits()
    for seed in seeds:
        for name, (recipe, center) in RECIPES.items():
            model, _ = trained(train, seed, recipe, center_bands=center)
            heard = [real.words[i] for i in guesses(model, real).tolist()]
            yield {
                "seed": seed,
                "training": name,
                "synthetic": word_accuracy(model, test),
                "noisy": word_accuracy(model, with_noise(test, NOISE_DB)),
                "real": word_accuracy(model, real),
                "heard": " ".join(heard),
            }
