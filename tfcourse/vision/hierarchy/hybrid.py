"""Receta del híbrido: aprender cifras nuevas con lo que una red convolucional sabe de otras."""

from copy import deepcopy
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.hybrid import Hybrid
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained, classification_loss, trained
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.classification.recipe import Recipe, batches

OLD, NEW = (0, 1, 2, 3, 4), (5, 6, 7, 8, 9)
BACKBONE = {"widths": (16, 32)}  # una casilla por cada 2 × 2 píxeles, como los parches del ViT
PRETRAINING, ADAPTATION = Recipe(steps=100, network="CNN", options=BACKBONE), Recipe(steps=120)
PER_CLASS = 10
LEARNERS = {
    name: replace(ADAPTATION, network=name)
    for name in (
        "ViT desde cero",
        "media y capa lineal",
        "híbrido congelado",
        "híbrido ajustado",
        "híbrido desde cero",
    )
}


def only(examples: LabelledImages, classes: tuple[int, ...]) -> LabelledImages:
    """Las imágenes de esas clases, numeradas de nuevo desde 0."""
    wanted = torch.tensor(classes)
    rows = torch.isin(examples.labels, wanted).nonzero().flatten()
    return LabelledImages(examples.images[rows], torch.searchsorted(wanted, examples.labels[rows]))


class PooledFeatures(nn.Module):
    """Una capa lineal sobre la media del mapa de una red congelada: lo más barato que se puede."""

    def __init__(self, backbone: SmallCnn, n_classes: int):
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.head = nn.Linear(backbone.config.widths[-1], n_classes)

    def forward(self, images: Tensor) -> Tensor:
        """Logits de cada clase."""
        self.backbone.eval()
        return self.head(self.backbone.features(images).mean(dim=(-2, -1)))


def build(recipe: Recipe, backbone: SmallCnn) -> nn.Module:
    """La red de la receta, sin entrenar; la convolucional es la que se da, o una nueva.

    Errores: `ValueError` si no es la de ninguno de `LEARNERS`.
    """
    name = recipe.network
    if name not in LEARNERS:
        raise ValueError(f"no hay ninguna red {name!r}: usa {', '.join(LEARNERS)}")
    config = ViTConfig(len(NEW), **recipe.options)
    if name == "ViT desde cero":
        return ViT(config)
    if name == "media y capa lineal":
        return PooledFeatures(backbone, len(NEW))
    if name == "híbrido desde cero":
        backbone = SmallCnn(CnnConfig(len(NEW), **BACKBONE))
    return Hybrid(config, backbone, frozen=name == "híbrido congelado")


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    backbone: SmallCnn,
    data: LabelledImages,
) -> Trained:
    """Construye y entrena un aprendiz sobre una copia de la red convolucional."""
    return trained(
        lambda: build(recipe, deepcopy(backbone)), batches(recipe, seed, data),
        classification_loss, recipe, seed, budget,
    )  # fmt: skip


@dataclass(frozen=True)
class Transfer:
    """Lo que da `transfer`: la red que ya sabía, lo que acierta con lo suyo y cada aprendiz."""

    backbone: SmallCnn
    old_accuracy: float
    accuracy: dict[str, float]


def transfer(
    seed: int, per_class: int = PER_CLASS, names: tuple[str, ...] = tuple(LEARNERS)
) -> Transfer:
    """Una CNN aprende las cifras del 0 al 4; después, cada aprendiz ve unas pocas del 5 al 9."""
    known, test = split_digits()
    backbone = classification.train(
        PRETRAINING, seed, data=only(known, OLD), n_classes=len(OLD)
    ).model
    few = few_per_class(only(known, NEW), per_class, seed)
    accuracy = {}
    for name in names:
        model = train(LEARNERS[name], seed, backbone=backbone, data=few).model
        accuracy[name] = image_accuracy(model, only(test, NEW))
    return Transfer(backbone, image_accuracy(backbone, only(test, OLD)), accuracy)
