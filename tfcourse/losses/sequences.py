"""Funciones de pérdida."""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.recurrent.state import carry_state
from tfcourse.tokenizers.vocabulary import Vocabulary


def sequence_loss(
    logits: Float[Tensor, "B Ty V"],
    target: Int[Tensor, "B Ty"],
    pad_id: int = Vocabulary.pad_id,
) -> Float[Tensor, ""]:
    """Entropía cruzada media por símbolo, sin contar el relleno."""
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad_id)


def smoothed_loss(
    logits: Float[Tensor, "*B V"],
    target: Int[Tensor, "*B"],
    smoothing: float = 0.1,
    pad_id: int = Vocabulary.pad_id,
) -> Float[Tensor, ""]:
    """Entropía cruzada con suavizado de etiquetas, en media por símbolo y sin contar el relleno.

    El objetivo no es un 1 en la respuesta, sino 1 − ε en ella y ε/V más en cada una de las V.
    Fuente: Szegedy et al. (2016), § 7. Errores: `ValueError` si `smoothing` no está entre 0 y 1.
    """
    if not 0 <= smoothing < 1:
        raise ValueError(f"smoothing={smoothing}: tiene que estar entre 0 y 1, p. ej. 0.1")
    kept = target != pad_id
    log_probabilities = logits.log_softmax(dim=-1)[kept]
    right = log_probabilities.gather(-1, target[kept].unsqueeze(-1)).squeeze(-1)
    return -((1 - smoothing) * right + smoothing * log_probabilities.mean(dim=-1)).mean()


def masked_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida de los huecos: entropía cruzada media en las posiciones elegidas, y en ninguna más.

    El lote es `(leído, lo que había, elegidas)`, sin relleno.
    Fuente: Devlin et al. (2019), § 3.1; Phuong y Hutter (2022), alg. 12.
    """
    read, tokens, chosen = batch
    lengths = torch.full((len(read),), read.shape[1], device=read.device)
    return F.cross_entropy(model(read, lengths, chosen), tokens[chosen])


def segmented_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida de los huecos cuando hay relleno y segmentos.

    El lote es `(leído, lo que había, longitudes, segmentos, elegidas)`. Fuente: la de
    `masked_loss`; Sun et al. (2019), § 3.2.
    """
    read, tokens, lengths, segments, chosen = batch
    return F.cross_entropy(model(read, lengths, segments, chosen), tokens[chosen])


def teacher_forcing_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida con forzado del profesor: se lee la salida correcta y se predice la siguiente.

    Fuente: Williams y Zipser (1989).
    """
    source, lengths, target = batch
    logits = model(source, lengths, target[:, :-1])
    return sequence_loss(logits, target[:, 1:])


def next_token_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Pérdida de un modelo de lenguaje: cada token de la ventana predice el siguiente.

    El lote es `(ventanas,)`, de forma `(B, L + 1)`: se leen las L primeras columnas y se predicen
    las L últimas. Fuente: Phuong y Hutter (2022), alg. 13.
    """
    (tokens,) = batch
    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


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
