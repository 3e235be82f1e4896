"""Funciones de pérdida."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.tokenizers.vocabulary import Vocabulary


def sequence_loss(
    logits: Float[Tensor, "B Ty V"],
    target: Int[Tensor, "B Ty"],
    pad_id: int = Vocabulary.pad_id,
) -> Float[Tensor, ""]:
    """Entropía cruzada media por símbolo, sin contar el relleno."""
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad_id)


def teacher_forcing_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida con forzado del profesor: se lee la salida correcta y se predice la siguiente.

    Fuente: Williams y Zipser (1989).
    """
    source, lengths, target = batch
    logits = model(source, lengths, target[:, :-1])
    return sequence_loss(logits, target[:, 1:])
