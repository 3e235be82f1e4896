"""Acumulación de gradientes: un lote grande, leído por partes."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from tfcourse.tokenizers.vocabulary import Vocabulary


def accumulate_gradients(
    model: nn.Module,
    parts: Sequence[tuple],
    loss_fn: Callable[[nn.Module, tuple], Tensor],
    weights: Sequence[float],
) -> float:
    """Deja en los parámetros el gradiente del lote entero, aunque solo se lea una parte cada vez.

    `loss_fn` da la media de una parte y `weights`, cuánto pesa en el lote: sus símbolos, no sus
    ejemplos. Devuelve la pérdida del lote.
    Errores: `ValueError` si no hay un peso positivo por parte.
    """
    if len(weights) != len(parts) or not parts or min(weights) <= 0:
        raise ValueError(
            f"hay {len(parts)} partes y los pesos son {list(weights)}: hace falta uno por parte, "
            "y positivo"
        )
    total, whole = sum(weights), 0.0
    for part, weight in zip(parts, weights, strict=True):
        loss = loss_fn(model, part) * (weight / total)
        loss.backward()  # se suma a lo que ya hubiera en .grad
        whole += float(loss.detach())
    return whole


def count_targets(batch: tuple[Tensor, Tensor, Tensor], pad_id: int = Vocabulary.pad_id) -> int:
    """Símbolos que un lote de parejas obliga a adivinar: la salida, sin inicio ni relleno."""
    return int(torch.count_nonzero(batch[2][:, 1:] != pad_id))
