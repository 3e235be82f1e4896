"""Acumulación de gradientes: un lote grande, leído por partes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training.batches import every_other, n_examples


@dataclass(frozen=True)
class Accumulation:
    """En cuántas partes lee `fit` cada lote, y cuánto pesa cada una.

    `count(parte)` cuenta lo que promedia la pérdida: los símbolos, si es una media por símbolo. Por
    omisión, los ejemplos. Con varios procesos, también reparte el peso entre ellos.
    Errores: `ValueError` si no hay ninguna parte.
    """

    parts: int = 1
    count: Callable[[Any], float] = n_examples

    def __post_init__(self):
        if self.parts < 1:
            raise ValueError(f"parts={self.parts}: un lote se lee al menos en una parte")

    def split(self, batch: Any) -> list:
        """Las partes de un lote, que se reparten los ejemplos por turno.

        Errores: `ValueError` si hay menos ejemplos que partes.
        """
        if self.parts > 1 and n_examples(batch) < self.parts:
            raise ValueError(
                f"un lote de {n_examples(batch)} ejemplos no se lee en {self.parts} partes"
            )
        return [every_other(batch, part, self.parts) for part in range(self.parts)]


def accumulate_gradients(
    model: nn.Module,
    parts: Sequence,
    loss_fn: Callable[[nn.Module, Any], Tensor],
    weights: Sequence[float],
    backward: Callable[[Tensor], None] = Tensor.backward,
) -> Tensor:
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
    total, whole = sum(weights), []
    for part, weight in zip(parts, weights, strict=True):
        loss = loss_fn(model, part) * (weight / total)
        backward(loss)  # se suma a lo que ya hubiera en .grad
        whole.append(loss.detach())
    return torch.stack(whole).sum()


def count_targets(batch: tuple[Tensor, Tensor, Tensor], pad_id: int = Vocabulary.pad_id) -> int:
    """Símbolos que un lote de parejas obliga a adivinar: la salida, sin inicio ni relleno."""
    return int(torch.count_nonzero(batch[2][:, 1:] != pad_id))
