"""Las seis variantes y las dos modalidades sueltas, a igual tiempo de procesador.

Se vuelve a medir con `python -m tfcourse tablas fusion`.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.digit_pairs import DigitPairs, pair_batches, reserved_pairs, split_pools
from tfcourse.fusion_costs import fusion_macs, n_parameters
from tfcourse.fusion_recipes import (
    BOTH,
    NO_IMAGE,
    NO_SOUND,
    FusionRecipe,
    believed,
    class_prior,
    fusion_loss,
    late_fusion,
    pair_accuracy,
    pair_logits,
)
from tfcourse.models.fusion import SIZES, UNIMODAL, VARIANTS, FusionClassifier, FusionConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.timed import train_for, warmup_cosine
from tfcourse.training import seed_everything

NAME, SECONDS, N_TEST = "fusion", 30.0, 1_000
LATE = "fusión tardía"
# Con qué probabilidad se quita una modalidad al entrenar: nunca, o en un ejemplo de cada tres.
DROPOUTS = 0.0, 1 / 3


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    recipe = asdict(FusionRecipe())
    del recipe["steps"], recipe["modality_dropout"]
    return {
        "cpu_seconds": SECONDS,
        "n_test": N_TEST,
        "sizes": SIZES["aula"],
        "recipe": recipe,
        "variants": {name: asdict(row) for name, row in (UNIMODAL | VARIANTS).items()},
        "dropouts": list(DROPOUTS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y modelo; las variantes, sin quitar modalidades y quitándolas.

    Detrás de las dos modalidades sueltas, la fusión tardía de esos dos modelos ya entrenados.
    """
    fair, lying = reserved_pairs(N_TEST), reserved_pairs(N_TEST, lying=True)
    for seed in seeds:
        alone = {}
        for name in UNIMODAL:
            alone[name], updates = train_at_time(name, seed, 0.0)
            accuracy = pair_accuracy(alone[name], fair)
            yield _head(name, seed, 0.0, updates) | _costs(alone[name]) | {"both": accuracy}
        yield _head(LATE, seed, 0.0, 0) | late_scores(list(alone.values()), fair, lying)
        for name, dropout in itertools.product(VARIANTS, DROPOUTS):
            model, updates = train_at_time(name, seed, dropout)
            row = _head(name, seed, dropout, updates) | _costs(model)
            yield row | scores(model, fair, lying)


def train_at_time(name: str, seed: int, dropout: float) -> tuple[FusionClassifier, int]:
    """Entrena una variante `SECONDS` segundos de procesador; devuelve también los pasos que dio."""
    seed_everything(seed)
    recipe = FusionRecipe(modality_dropout=dropout)
    model = FusionClassifier(FusionConfig(name))
    batches = pair_batches(
        split_pools()[0], recipe.batch_size, recipe.damage, dropout=dropout, seed=seed
    )
    optimizer = Muon(
        *split_parameters(model),
        lr=recipe.muon_lr, adam_lr=recipe.adam_lr, weight_decay=recipe.weight_decay,
    )  # fmt: skip
    history = train_for(
        SECONDS, model, batches, fusion_loss,
        optimizer=optimizer, schedule=warmup_cosine(0.15, 0.0),
    )  # fmt: skip
    return model, len(history.loss)


def scores(model: FusionClassifier, fair: DigitPairs, lying: DigitPairs) -> dict[str, float]:
    """Aciertos con las dos modalidades y con una, y a quién cree cuando se contradicen."""
    trust = believed(pair_logits(model, lying), lying)
    return {
        "both": pair_accuracy(model, fair, BOTH),
        "no_sound": pair_accuracy(model, fair, NO_SOUND),
        "no_image": pair_accuracy(model, fair, NO_IMAGE),
        "trusts_image": trust["la imagen"],
        "trusts_sound": trust["la voz"],
    }


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


def _head(name: str, seed: int, dropout: float, updates: int) -> dict:
    return {"model": name, "seed": seed, "dropout": round(dropout, 4), "updates": updates}


def _costs(model: FusionClassifier) -> dict:
    return {"parameters": n_parameters(model), "macs": fusion_macs(model.config)}
