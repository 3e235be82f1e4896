"""Cuánto acierta un clasificador de imágenes, y con quién se compara."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.metrics.ranking import area_under_roc

SVM_C = 10.0


def image_accuracy(model: nn.Module, test: LabelledImages) -> float:
    """Parte de las imágenes que el modelo clasifica bien."""
    guesses = image_logits(model, test.images).argmax(dim=-1)
    return float((guesses == test.labels).float().mean())


@torch.no_grad()
def image_logits(model: nn.Module, images: Float[Tensor, "N C H W"]) -> Float[Tensor, "N K"]:
    """Lo que contesta el modelo a muchas imágenes, por partes y devuelto a la CPU."""
    model.eval()
    device = next(model.parameters()).device
    return torch.cat([model(part.to(device)).cpu() for part in images.split(500)])


def finding_areas(scores: Float[Tensor, "N K"], findings: Float[Tensor, "N K"]) -> list[float]:
    """AUROC de cada hallazgo, por separado. Errores: los de `area_under_roc`."""
    columns = zip(scores.T, findings.long().T, strict=True)
    return [area_under_roc(score, marks) for score, marks in columns]


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
