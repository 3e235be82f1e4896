"""Funciones de pérdida."""

from typing import Any

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.state import carry_state
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


class CarriedStateLoss:
    """Pérdida de un modelo de lenguaje que lee ventanas seguidas y no pierde el hilo.

    Entre una ventana y la siguiente se conserva el valor del estado y se corta el gradiente: es la
    retropropagación truncada. Cada lote es `(entradas, objetivos, recién_empezada)`.
    Fuente: Williams y Peng (1990).
    """

    def __init__(self):
        self.state: Any = None

    def __call__(self, model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        """Entropía cruzada media por símbolo, en nats."""
        inputs, targets, fresh = batch
        logits, state = model(inputs, carry_state(self.state, fresh))
        self.state = carry_state(state)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
