"""Cuánto baja el acierto cuando habla una persona: entrenar con voces sintéticas y oír una real.

Se mide con `python -m benchmarks voz_real --escribir`, unos dos minutos de procesador; hacen
falta las grabaciones de `tfcourse.datasets.sounds.recorded_digits`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.sounds.recorded_digits import recorded_digits
from tfcourse.datasets.sounds.spoken_words import split_spoken_digits
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS
from tfcourse.models.sound_classifier import VARIANTS
from tfcourse.sound.spectrograms.metrics import guesses, with_noise, word_accuracy
from tfcourse.sound.spectrograms.recipe import NOISY, Recipe, train

NAME = "voz_real"
NOISE_DB = 10
# Nombre → cómo se entrena y si se centran las bandas.
RECIPES = {
    "voz limpia": (Recipe(), False),
    "bandas centradas": (Recipe(), True),
    "con ruido": (Recipe(changes=NOISY), False),
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
    clips, test = split_spoken_digits()
    real = recorded_digits()
    for seed in seeds:
        for name, (recipe, center) in RECIPES.items():
            model = train(recipe, seed, data=clips, center_bands=center).model
            heard = [real.words[i] for i in guesses(model, real).tolist()]
            yield {
                "seed": seed,
                "training": name,
                "synthetic": word_accuracy(model, test),
                "noisy": word_accuracy(model, with_noise(test, NOISE_DB)),
                "real": word_accuracy(model, real),
                "heard": " ".join(heard),
            }
