"""Qué hace falta para separar: el mismo presupuesto de pasos, cambiando una pieza cada vez.

La tabla se calcula con `python -m benchmarks separacion --escribir` y se guarda con su huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.datasets.sounds.voice_mixtures import reserved_mixtures
from tfcourse.models.sepformer import VARIANTS
from tfcourse.sound.separation.metrics import gains, ideal_gains
from tfcourse.sound.separation.recipe import CLASSROOM, Recipe, train

NAME = "separacion"
BASE = replace(CLASSROOM, steps=200, easy_steps=0)
IDEAL, NOTHING = "máscara ideal", "no hacer nada"


def _with(**changes) -> Recipe:
    return replace(BASE, size=BASE.size | changes)


# Cada fila cambia una sola cosa respecto a la primera; la última, el codificador entero.
RECIPES = {
    "STFT, softmax, Muon": BASE,
    "máscara sigmoide": _with(mask="sigmoide"),
    "con Adam": replace(BASE, muon=False),
    "ventana de 256": _with(kernel=256),
    "sin mirar entre trozos": _with(n_inter=0),
    "voces muy distintas al principio": replace(BASE, easy_steps=BASE.steps // 4),
    "red más ancha y más honda": replace(BASE, size=dict(VARIANTS["larga"])),
    "codificador aprendido": replace(BASE, size=dict(VARIANTS["aula, aprendido"])),
}


def settings() -> dict:
    """La receta de la tabla."""
    return {name: asdict(recipe) for name, recipe in RECIPES.items()}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta, y otra por cada cota: mejora media con voces reservadas."""
    test = reserved_mixtures()
    for seed in seeds:
        for name, recipe in RECIPES.items():
            model = train(recipe, seed).model
            yield {"seed": seed, "recipe": name, "gain": float(gains(model, test).mean())}
        yield {"seed": seed, "recipe": IDEAL, "gain": float(ideal_gains(test).mean())}
        yield {"seed": seed, "recipe": NOTHING, "gain": 0.0}
