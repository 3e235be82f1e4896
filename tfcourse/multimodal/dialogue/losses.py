"""Las pérdidas del tema: la de las respuestas, mirando la imagen, y la de la torre."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.models.vit import ViT
from tfcourse.multimodal.dialogue.form import Turns


def dialogue_loss(model: nn.Module, batch: Turns, *, blind: bool = False) -> Float[Tensor, ""]:
    """Entropía cruzada media en los tokens de las respuestas, y en ninguno más.

    Ni las marcas de la imagen ni las preguntas se aprenden a escribir. Con `blind`, el modelo no
    recibe las imágenes. Fuente: Liu et al. (2023), ec. 3.
    """
    tokens, answer, images = batch
    logits = model(tokens[:, :-1]) if blind else model(tokens[:, :-1], images)
    told = answer[:, 1:]
    return F.cross_entropy(logits[told], tokens[:, 1:][told])


def seen_by_quarter(model: ViT, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B 4 K"]:
    """Lo que dice una torre de cada cuarto de la imagen: la media de sus parches, y su cabeza."""
    rows, columns = model.config.grid
    grid = model.encode(images).unflatten(1, (2, rows // 2, 2, columns // 2))
    return model.head(grid.mean(dim=(2, 4)).flatten(1, 2))


def presence_loss(model: ViT, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada de cada sí o no: qué formas y qué colores hay en cada cuarto.

    El lote es `(imágenes, cuáles están)`.
    """
    images, present = batch
    return F.binary_cross_entropy_with_logits(seen_by_quarter(model, images), present)
