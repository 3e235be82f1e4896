"""Receta de la jerarquía: un ViT y un Swin leen cifras grandes durante el mismo tiempo."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from torch import nn

from tfcourse.classifiers import classification_loss
from tfcourse.datasets.digits import split_digits
from tfcourse.datasets.scattered import Scene, scattered, scattered_batches
from tfcourse.models.swin import VARIANTS, Swin, SwinConfig
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.timed import train_for, warmup_cosine
from tfcourse.training import seed_everything
from tfcourse.vision_recipes import image_accuracy

NAME = "jerarquia"
SCENE = Scene(32, 24, 32, 0)
READERS = ("ViT", "Swin", "Swin, ventanas quietas")
PATCH, LAYERS, BATCH = 4, 4, 32  # los mismos parches y las mismas capas
MUON_LR, ADAM_LR = 0.02, 6e-3
LONG_SECONDS = 12.0
N_TEST = 500


def reader(name: str) -> nn.Module:
    """La red de ese nombre, sin entrenar. Errores: `ValueError` si el nombre no se conoce."""
    if name not in READERS:
        raise ValueError(f"no hay ninguna red {name!r}: usa {', '.join(READERS)}")
    if name == "ViT":
        return ViT(ViTConfig(10, image_size=SCENE.side, patch_size=PATCH, n_layers=LAYERS))
    return Swin(SwinConfig(10, patch_size=PATCH, shifted=name == "Swin"))


def read_for(name: str, seed: int, cpu_seconds: float) -> tuple[nn.Module, int, float]:
    """Entrena una red ese tiempo de procesador; devuelve la red, los pasos y el acierto."""
    train, test = split_digits()
    seed_everything(seed)
    model = reader(name)
    optimizer = Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, weight_decay=0.01)
    history = train_for(
        cpu_seconds, model, scattered_batches(train, BATCH, SCENE, seed), classification_loss,
        optimizer=optimizer, schedule=warmup_cosine(0.1, 0.02),
    )  # fmt: skip
    held_out = scattered(test, N_TEST, SCENE, torch.Generator().manual_seed(10_000 + seed))
    return model, len(history.loss), image_accuracy(model, held_out)


def settings() -> dict:
    """La receta de la comparación larga."""
    return {
        "scene": asdict(SCENE),
        "readers": list(READERS),
        "swin": VARIANTS["aula"],
        "patch_layers_batch": [PATCH, LAYERS, BATCH],
        "rates": [MUON_LR, ADAM_LR],
        "cpu_seconds": LONG_SECONDS,
        "n_test": N_TEST,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por red y semilla."""
    for seed in seeds:
        for name in READERS:
            _, steps, accuracy = read_for(name, seed, LONG_SECONDS)
            yield {"seed": seed, "reader": name, "steps": steps, "accuracy": accuracy}
