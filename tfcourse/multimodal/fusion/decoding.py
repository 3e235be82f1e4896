"""Juntar respuestas en vez de tokens: la fusión tardía."""

from jaxtyping import Float, Int
from torch import Tensor


def late_fusion(
    first: Float[Tensor, "N K"], second: Float[Tensor, "N K"], prior: Float[Tensor, " K"]
) -> Float[Tensor, "N K"]:
    """Fusión tardía: el producto de las probabilidades de dos modelos, entre la de cada clase.

    Es exacta si, sabida la clase, una modalidad no dice nada de la otra (Kittler et al., 1998,
    ec. 9). Devuelve logaritmos de probabilidades.
    """
    total = first.log_softmax(dim=-1) + second.log_softmax(dim=-1) - prior.log()
    return total.log_softmax(dim=-1)


def class_prior(labels: Int[Tensor, " N"], n_classes: int) -> Float[Tensor, " K"]:
    """La frecuencia de cada clase, contando una vez de más cada una para que ninguna sea cero."""
    counts = labels.bincount(minlength=n_classes).float() + 1
    return counts / counts.sum()
