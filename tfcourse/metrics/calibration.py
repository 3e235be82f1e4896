"""Calibración: si un modelo que dice «90 % seguro» acierta nueve de cada diez veces."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Reliability:
    """Por casilla de confianza: cuántas predicciones, su confianza media y cuántas aciertan."""

    counts: Tensor
    confidence: Tensor
    accuracy: Tensor

    @property
    def error(self) -> float:
        """Error de calibración esperado (ECE): distancia media entre acierto y confianza.

        Fuente: Naeini, Cooper y Hauskrecht (2015); Guo et al. (2017), ec. 3.
        """
        gap = (self.accuracy - self.confidence).abs()
        return float((self.counts / self.counts.sum() * gap).sum())


def reliability(
    confidence: Float[Tensor, " N"], correct: Bool[Tensor, " N"], n_bins: int = 10
) -> Reliability:
    """Reparte las predicciones en casillas iguales de confianza, de 0 a 1, y mide cada una.

    Una casilla vacía tiene acierto y confianza 0 y no pesa.
    Errores: `ValueError` si no hay predicciones o alguna confianza no es una probabilidad.
    """
    if not len(confidence) or confidence.min() < 0 or confidence.max() > 1 + 1e-6:
        raise ValueError(
            f"llegaron {len(confidence)} confianzas: hace falta al menos una, y todas entre 0 y 1"
        )
    bins = (confidence * n_bins).long().clamp(max=n_bins - 1)
    counts = torch.bincount(bins, minlength=n_bins).double()
    total = counts.clamp(min=1)
    mean_confidence = torch.bincount(bins, confidence.double(), minlength=n_bins) / total
    accuracy = torch.bincount(bins, correct.double(), minlength=n_bins) / total
    return Reliability(counts, mean_confidence, accuracy)


def confidence_and_hits(
    logits: Float[Tensor, "*B V"], target: Int[Tensor, "*B"], pad_id: int
) -> tuple[Float[Tensor, " N"], Bool[Tensor, " N"]]:
    """Probabilidad de la opción elegida en cada posición sin relleno, y si era la correcta."""
    confidence, chosen = logits.softmax(dim=-1).max(dim=-1)
    kept = target != pad_id
    return confidence[kept], (chosen == target)[kept]
