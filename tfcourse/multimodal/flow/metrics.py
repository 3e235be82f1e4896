"""Cómo se mide lo dibujado: si es lo pedido, si es variado, si se parece y si es nuevo."""

from statistics import mean

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.vit import ViT
from tfcourse.vision.classification.metrics import image_accuracy

COPY_LEVEL = 0.05  # parte de las reservadas que se deja por debajo del umbral de copia


def agreement(judge: ViT, drawn: LabelledImages) -> float:
    """Parte de los dibujos en que un clasificador que no los hizo ve la clase pedida."""
    return image_accuracy(judge, drawn)


def diversity(drawn: LabelledImages) -> float:
    """Distancia media entre dos dibujos de la misma clase; media de las clases.

    Errores: `ValueError` si alguna clase tiene menos de dos.
    """
    counts = drawn.labels.bincount()
    if (counts[counts > 0] < 2).any():
        raise ValueError("alguna clase tiene un solo dibujo: hacen falta dos o más de cada una")
    flat = drawn.images.flatten(1)
    return mean(
        float(torch.pdist(flat[drawn.labels == label]).mean()) for label in drawn.labels.unique()
    )


def nearest(
    images: Float[Tensor, "N C H W"], known: Float[Tensor, "M C H W"]
) -> tuple[Float[Tensor, " N"], Int[Tensor, " N"]]:
    """De cada imagen, la distancia a la más parecida de las conocidas, y cuál es."""
    found = torch.cdist(images.flatten(1), known.flatten(1)).min(dim=1)
    return found.values, found.indices


def copy_threshold(
    known: Float[Tensor, "M C H W"], held_out: Float[Tensor, "N C H W"], level: float = COPY_LEVEL
) -> float:
    """Distancia por debajo de la cual solo está una parte `level` de las imágenes reservadas."""
    return float(nearest(held_out, known)[0].quantile(level))


def copied(
    images: Float[Tensor, "N C H W"], known: Float[Tensor, "M C H W"], threshold: float
) -> float:
    """Parte de los dibujos que están más cerca que `threshold` de uno de entrenar."""
    return float((nearest(images, known)[0] < threshold).float().mean())


@torch.no_grad()
def features(judge: ViT, images: Float[Tensor, "N C H W"]) -> Float[Tensor, "N D"]:
    """El resumen que hace el juez de cada imagen, justo antes de clasificarla."""
    return judge.eval().summary(judge.encode(images))


def frechet_distance(first: Float[Tensor, "N D"], second: Float[Tensor, "M D"]) -> float:
    """Distancia de Fréchet al cuadrado entre dos nubes, como si fueran gaussianas.

    ‖m − m'‖² + tr(C + C' − 2 (C C')^½), en `float64`. Con los rasgos de una Inception es el FID.
    Fuente: Heusel et al. (2017), § 2.
    """
    first, second = first.double(), second.double()
    gap = (first.mean(0) - second.mean(0)).square().sum()
    one, two = first.T.cov(), second.T.cov()
    # Los autovalores del producto de dos matrices semidefinidas son reales y no negativos.
    roots = torch.linalg.eigvals(one @ two).real.clamp(min=0).sqrt().sum()
    return float(gap + one.trace() + two.trace() - 2 * roots)
