"""Recetas para clasificar imágenes: un Vision Transformer, una red convolucional y una SVM."""

from dataclasses import dataclass, field

import torch
from torch import nn

from tfcourse.classifiers import classification_loss, fit_with_muon
from tfcourse.datasets.augmentation import Augmentation, image_batches
from tfcourse.datasets.digits import LabelledImages
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training import History, seed_everything


@dataclass(frozen=True)
class ImageRecipe:
    """Cómo se entrena un clasificador de imágenes: pasos, lote, ritmos y aumento de datos."""

    steps: int = 400
    batch_size: int = 64
    muon_lr: float = 0.01
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    moves: Augmentation | None = field(default_factory=Augmentation)


# Nombre → sus opciones sobre la configuración de aula y los pasos que da. Los tres tardan menos de
# un cuarto de minuto; la convolucional, mucho menos.
CONTESTANTS = {
    "ViT": ({}, ImageRecipe(steps=400)),
    "ViT con tallo": ({"stem": "convolución"}, ImageRecipe(steps=250)),
    "CNN": ({"widths": (16, 32, 64)}, ImageRecipe(steps=150)),
}
SVM_C = 10.0


def contestant(name: str, n_classes: int = 10, **options) -> nn.Module:
    """La red de ese nombre, sin entrenar; `options` cambia su configuración.

    Errores: `ValueError` si el nombre no se conoce.
    """
    if name not in CONTESTANTS:
        raise ValueError(f"no hay ninguna red {name!r}: usa {', '.join(CONTESTANTS)}")
    config = CONTESTANTS[name][0] | options
    if name == "CNN":
        return SmallCnn(CnnConfig(n_classes, **config))
    return ViT(ViTConfig(n_classes, **config))


def trained(
    name: str, train: LabelledImages, seed: int, recipe: ImageRecipe | None = None, **options
) -> tuple[nn.Module, History]:
    """Construye y entrena una red de `CONTESTANTS`; devuelve la red, en la CPU, y la historia."""
    seed_everything(seed)
    model = contestant(name, **options)
    history = train_classifier(model, train, recipe or CONTESTANTS[name][1], seed)
    return model.cpu(), history


def train_classifier(
    model: nn.Module, train: LabelledImages, recipe: ImageRecipe, seed: int
) -> History:
    """Entrena un clasificador de imágenes según la receta."""
    batch_size = min(recipe.batch_size, len(train))
    batches = image_batches(train, batch_size, moves=recipe.moves, seed=seed)
    return fit_with_muon(model, batches, classification_loss, recipe)


@torch.no_grad()
def image_accuracy(model: nn.Module, test: LabelledImages) -> float:
    """Parte de las imágenes que el modelo clasifica bien."""
    model.eval()
    device = next(model.parameters()).device
    guesses = [model(part.to(device)).argmax(dim=-1).cpu() for part in test.images.split(500)]
    return float((torch.cat(guesses) == test.labels).float().mean())


def svm_accuracy(train: LabelledImages, test: LabelledImages) -> float:
    """Acierto de una máquina de vectores soporte con núcleo gaussiano sobre los píxeles.

    Fuente: Cortes y Vapnik (1995); la calcula scikit-learn.
    """
    from sklearn.svm import SVC

    machine = SVC(C=SVM_C, gamma="scale")
    machine.fit(train.images.flatten(1).numpy(), train.labels.numpy())
    return float(machine.score(test.images.flatten(1).numpy(), test.labels.numpy()))


def majority_accuracy(train: LabelledImages, test: LabelledImages) -> float:
    """Acierto de quien dice siempre la clase más frecuente al entrenar."""
    return float((test.labels == train.labels.bincount().argmax()).float().mean())
