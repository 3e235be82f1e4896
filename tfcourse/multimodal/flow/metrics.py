"""Cómo se mide lo dibujado: si es lo pedido, si es variado, si se parece y si es nuevo."""

from statistics import mean

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.vit import ViT
from tfcourse.vision.classification.metrics import image_accuracy

COPY_LEVEL = 0.05  # parte de las reservadas que se deja por debajo del umbral de copia
N_AT_ONCE = 500


def agreement(judge: ViT, drawn: LabelledImages) -> float:
    """Parte de los dibujos en que un clasificador que no los hizo ve la clase pedida."""
    return image_accuracy(judge, drawn)


def diversity(drawn: LabelledImages) -> float:
    """Distancia media entre dos dibujos de la misma clase; media de las clases con dos o más.

    Errores: `ValueError` si no hay dos dibujos de ninguna clase.
    """
    repeated = (drawn.labels.bincount() > 1).nonzero().flatten()
    if not len(repeated):
        raise ValueError("no hay dos dibujos de la misma clase: pide más de cada una")
    flat = drawn.images.flatten(1)
    return mean(float(torch.pdist(flat[drawn.labels == label]).mean()) for label in repeated)


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
    device = next(judge.eval().parameters()).device
    parts = images.split(N_AT_ONCE)
    return torch.cat([judge.summary(judge.encode(part.to(device))).cpu() for part in parts])


def measured(
    judge: ViT, drawn: LabelledImages, known: LabelledImages, held_out: LabelledImages
) -> dict[str, float]:
    """Las cinco medidas de unos dibujos: acuerdo, variedad, vecina, copias y Fréchet.

    `known` son las imágenes con que se aprendió a dibujar y `held_out`, otras reales.
    """
    threshold = copy_threshold(known.images, held_out.images)
    seen = (features(judge, some.images) for some in (drawn, held_out))
    return {
        "agreement": agreement(judge, drawn),
        "diversity": diversity(drawn),
        "distance": float(nearest(drawn.images, known.images)[0].median()),
        "copied": copied(drawn.images, known.images, threshold),
        "frechet": frechet_distance(*seen),
    }


def frechet_distance(first: Float[Tensor, "N D"], second: Float[Tensor, "M D"]) -> float:
    """Distancia de Fréchet al cuadrado entre dos nubes, como si fueran gaussianas.

    ‖m₁ − m₂‖² + tr(C₁ + C₂ − 2 (C₁C₂)^½), en `float64`. Con los rasgos de una Inception es el FID.
    Fuente: Heusel et al. (2017).
    """
    first, second = first.double(), second.double()
    gap = (first.mean(0) - second.mean(0)).square().sum()
    one, two = first.T.cov(), second.T.cov()
    # Los autovalores del producto de dos matrices semidefinidas son reales y no negativos.
    roots = torch.linalg.eigvals(one @ two).real.clamp(min=0).sqrt().sum()
    return float(gap + one.trace() + two.trace() - 2 * roots)
