"""Las seis variantes y las dos modalidades sueltas, con los mismos pasos y los mismos datos.

Se vuelve a medir con `python -m benchmarks fusion --semillas 5 --escribir`, unos veinte
minutos de procesador.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.sounds.digit_pairs import DigitPairs, reserved_pairs
from tfcourse.metrics.multiplications import fusion_macs, n_parameters
from tfcourse.models.fusion import SIZES, UNIMODAL, VARIANTS, FusionClassifier
from tfcourse.multimodal.fusion.decoding import class_prior, late_fusion
from tfcourse.multimodal.fusion.metrics import (
    BOTH,
    NO_IMAGE,
    NO_SOUND,
    believed,
    image_share,
    pair_accuracy,
    pair_logits,
)
from tfcourse.multimodal.fusion.recipe import Recipe, train

NAME, STEPS, N_TEST, N_LOOKED = "fusion", 300, 1_000, 200
LATE = "fusión tardía"
# Con qué probabilidad se quita una modalidad al entrenar: nunca, o en un ejemplo de cada tres.
DROPOUTS = 0.0, 1 / 3
# En cuáles se prueba a quitarlas: una de cada arquitectura.
CURED = "concatenación temprana", "varios a uno", "cruzada"


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    recipe = asdict(Recipe(steps=STEPS))
    del recipe["modality_dropout"]
    return {
        "n_test": N_TEST,
        "n_looked": N_LOOKED,
        "sizes": SIZES["aula"],
        "recipe": recipe,
        "variants": {name: asdict(row) for name, row in (UNIMODAL | VARIANTS).items()},
        "dropouts": list(DROPOUTS),
        "cured": list(CURED),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y modelo; las de `CURED`, también quitando modalidades.

    Detrás de las dos modalidades sueltas, la fusión tardía de esos dos modelos ya entrenados.
    """
    fair, lying = reserved_pairs(N_TEST), reserved_pairs(N_TEST, lying=True)
    for seed in seeds:
        alone = {}
        for name in UNIMODAL:
            alone[name] = train(Recipe(steps=STEPS), seed, variant=name).model
            accuracy = pair_accuracy(alone[name], fair)
            yield _head(name, seed, 0.0) | _costs(alone[name]) | {"both": accuracy}
        yield _head(LATE, seed, 0.0) | late_scores(list(alone.values()), fair, lying)
        for name, dropout in runs():
            recipe = Recipe(steps=STEPS, modality_dropout=dropout)
            model = train(recipe, seed, variant=name).model
            yield _head(name, seed, dropout) | _costs(model) | scores(model, fair, lying)


def runs() -> list[tuple[str, float]]:
    """Qué variantes se entrenan y con qué probabilidad se les quita una modalidad."""
    return [(name, d) for name in VARIANTS for d in DROPOUTS if d == 0 or name in CURED]


def scores(model: FusionClassifier, fair: DigitPairs, lying: DigitPairs) -> dict[str, float]:
    """Aciertos con las dos modalidades y con una, a quién cree si se contradicen y a qué mira."""
    looks = {}
    if not model.encoder.variant.added:
        looks["image_share"] = float(image_share(model, reserved_pairs(N_LOOKED)).mean())
    trust = believed(pair_logits(model, lying), lying)
    return {
        "both": pair_accuracy(model, fair, BOTH),
        "no_sound": pair_accuracy(model, fair, NO_SOUND),
        "no_image": pair_accuracy(model, fair, NO_IMAGE),
        "trusts_image": trust["la imagen"],
        "trusts_sound": trust["la voz"],
    } | looks


def late_scores(
    models: Sequence[FusionClassifier], fair: DigitPairs, lying: DigitPairs
) -> dict[str, float]:
    """Lo mismo, multiplicando lo que dicen los modelos de una sola modalidad."""
    prior = class_prior(torch.arange(10), 10)
    guess, doubt = (
        late_fusion(*(pair_logits(model, pairs) for model in models), prior)
        for pairs in (fair, lying)
    )
    trust = believed(doubt, lying)
    return {
        "both": float((guess.argmax(dim=1) == fair.labels).float().mean()),
        "trusts_image": trust["la imagen"],
        "trusts_sound": trust["la voz"],
    }


def _head(name: str, seed: int, dropout: float) -> dict:
    return {"model": name, "seed": seed, "dropout": round(dropout, 4)}


def _costs(model: FusionClassifier) -> dict:
    return {"parameters": n_parameters(model), "macs": fusion_macs(model.config)}
