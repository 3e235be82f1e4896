"""Recetas para clasificar imágenes: un Vision Transformer, una red convolucional y una SVM."""

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.augmentation import Augmentation, image_batches
from tfcourse.datasets.digits import LabelledImages
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.training import History, fit, one_cycle, seed_everything

MEAN, STD = 0.3, 0.375


@dataclass(frozen=True)
class ImageRecipe:
    """Cómo se entrena: pasos, lote, ritmos, suavizado de etiquetas y aumento de datos."""

    steps: int = 400
    batch_size: int = 64
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    smoothing: float = 0.1
    moves: Augmentation | None = field(default_factory=Augmentation)


def train_classifier(
    model: nn.Module, train: LabelledImages, recipe: ImageRecipe, seed: int
) -> History:
    """Entrena un clasificador de imágenes; las matrices, con Muon, y lo demás, con Adam."""
    batch_size = min(recipe.batch_size, len(train))
    batches = image_batches(train, batch_size, moves=recipe.moves, seed=seed)
    optimizer = Muon(
        *split_parameters(model), lr=recipe.muon_lr, adam_lr=recipe.adam_lr,
        weight_decay=recipe.weight_decay,
    )  # fmt: skip

    def loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        images, labels = batch
        return F.cross_entropy(model(images), labels, label_smoothing=recipe.smoothing)

    return fit(model, batches, loss, steps=recipe.steps, optimizer=optimizer,
               schedule=one_cycle(recipe.steps))  # fmt: skip


@torch.no_grad()
def image_accuracy(model: nn.Module, test: LabelledImages) -> float:
    """Parte de las imágenes que el modelo clasifica bien."""
    model.eval()
    device = next(model.parameters()).device
    guesses = [model(part.to(device)).argmax(dim=-1).cpu() for part in test.images.split(500)]
    return float((torch.cat(guesses) == test.labels).float().mean())
