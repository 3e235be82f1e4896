"""Cuánto acierta un clasificador de imágenes, y con quién se compara."""

import torch
from torch import nn

from tfcourse.datasets.pictures.digits import LabelledImages

SVM_C = 10.0


@torch.no_grad()
def image_accuracy(model: nn.Module, test: LabelledImages) -> float:
    """Parte de las imágenes que el modelo clasifica bien."""
    model.eval()
    device = next(model.parameters()).device
    guesses = [model(part.to(device)).argmax(dim=-1).cpu() for part in test.images.split(500)]
    return float((torch.cat(guesses) == test.labels).float().mean())


def svm_accuracy(train: LabelledImages, test: LabelledImages) -> float:
    """Acierto de una máquina de vectores de soporte con núcleo gaussiano sobre los píxeles.

    Fuente: Cortes y Vapnik (1995); la calcula scikit-learn.
    """
    from sklearn.svm import SVC

    machine = SVC(C=SVM_C, gamma="scale")
    machine.fit(train.images.flatten(1).numpy(), train.labels.numpy())
    return float(machine.score(test.images.flatten(1).numpy(), test.labels.numpy()))


def majority_accuracy(train: LabelledImages, test: LabelledImages) -> float:
    """Acierto de quien dice siempre la clase más frecuente al entrenar."""
    return float((test.labels == train.labels.bincount().argmax()).float().mean())
