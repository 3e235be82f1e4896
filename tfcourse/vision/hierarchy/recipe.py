"""Receta de la jerarquía: quién lee cifras grandes con el mismo tiempo, o con los mismos pasos."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.datasets.pictures.scattered import Scene, scattered, scattered_batches
from tfcourse.models.convnext import ConvNeXt, ConvNeXtConfig
from tfcourse.models.swin import Swin, SwinConfig
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, classification_loss, muon
from tfcourse.training.schedules import warmup_cosine
from tfcourse.vision.classification.metrics import image_accuracy

SCENE = Scene(32, 24, 32, 0)
PATCH, LAYERS = 4, 4  # los mismos parches y las mismas capas
N_TEST = 500
RACE = CpuSeconds(5.0)
FLOOR = 0.02  # parte del ritmo que queda al acabarse el tiempo


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena un lector de cifras grandes: su red, lote y ritmos.

    `network` es «ViT», «Swin» o «ConvNeXt». Sin `shifted`, las ventanas del Swin no se mueven.
    """

    network: str = "Swin"
    shifted: bool = True
    batch_size: int = 32
    muon_lr: float = 0.02
    adam_lr: float = 6e-3
    weight_decay: float = 0.01
    warmup = 0.1


READERS = {
    "ViT": Recipe("ViT"),
    "Swin": Recipe("Swin"),
    "Swin, ventanas quietas": Recipe("Swin", shifted=False),
    "ConvNeXt": Recipe("ConvNeXt"),
}


@dataclass
class Reader(Trained):
    """Un lector entrenado."""

    def score(self, seed: int) -> float:
        """Acierto con cifras reservadas, colocadas con esa semilla."""
        _, test = split_digits()
        generator = torch.Generator().manual_seed(10_000 + seed)
        return image_accuracy(self.model, scattered(test, N_TEST, SCENE, generator))


def build(recipe: Recipe) -> nn.Module:
    """La red de la receta, sin entrenar. Errores: `ValueError` si la red no se conoce."""
    if recipe.network == "ViT":
        return ViT(ViTConfig(10, image_size=SCENE.side, patch_size=PATCH, n_layers=LAYERS))
    if recipe.network == "Swin":
        return Swin(SwinConfig(10, patch_size=PATCH, shifted=recipe.shifted))
    if recipe.network == "ConvNeXt":
        return ConvNeXt(ConvNeXtConfig(10, patch_size=PATCH))
    raise ValueError(f"no hay ninguna red {recipe.network!r}: usa ViT, Swin o ConvNeXt")


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de imágenes y clases, cada cifra en un sitio nuevo."""
    known, _ = split_digits()
    return scattered_batches(known, recipe.batch_size, SCENE, seed)


def train(recipe: Recipe, seed: int, budget: Budget = RACE) -> Reader:
    """Construye y entrena un lector lo que diga `budget`: un tiempo de procesador o unos pasos."""
    seed_everything(seed)
    model = build(recipe)
    history = fit(
        model, batches(recipe, seed), classification_loss, budget=budget,
        optimizer=muon(model, recipe), schedule=warmup_cosine(budget, recipe.warmup, FLOOR),
    )  # fmt: skip
    return Reader(model, recipe, history)
