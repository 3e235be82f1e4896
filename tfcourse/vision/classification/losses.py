"""Lo que se minimiza cuando una imagen tiene varias respuestas a la vez."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def findings_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada de cada sí o no, en media: una sigmoide por hallazgo y no un softmax.

    El lote es `(imágenes, hallazgos)`, con un 1 donde lo hay y un 0 donde no.
    """
    images, findings = batch
    return F.binary_cross_entropy_with_logits(model(images), findings)
