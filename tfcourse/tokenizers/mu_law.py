"""Números continuos como tokens: la ley μ los comprime y una rejilla uniforme los cuenta."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

# Reed et al. (2022), § 2.1 y apéndice B.
MU, SPAN, N_BINS = 100.0, 256.0, 1024


def mu_law(x: Float[Tensor, "*B"], mu: float = MU, span: float = SPAN) -> Float[Tensor, "*B"]:
    """Ley μ: signo(x) · ln(μ|x| + 1) / ln(μM + 1). De ±M a ±1, con más detalle cerca del cero.

    Fuente: Reed et al. (2022), apéndice B.
    """
    return x.sign() * (mu * x.abs() + 1).log() / math.log(mu * span + 1)


def inverse_mu_law(
    y: Float[Tensor, "*B"], mu: float = MU, span: float = SPAN
) -> Float[Tensor, "*B"]:
    """Deshace `mu_law`: signo(y) · ((μM + 1)^|y| − 1) / μ."""
    return y.sign() * ((mu * span + 1) ** y.abs() - 1) / mu


def to_bins(y: Float[Tensor, "*B"], n_bins: int = N_BINS) -> Int[Tensor, "*B"]:
    """En qué casilla cae cada número, si [−1, 1] se parte en `n_bins` iguales.

    Lo que se sale va a la casilla del borde. Errores: `ValueError` si hay menos de dos casillas.
    """
    if n_bins < 2:
        raise ValueError(f"n_bins={n_bins}: hacen falta al menos dos casillas")
    return ((y.clamp(-1, 1) + 1) / 2 * n_bins).long().clamp(max=n_bins - 1)


def from_bins(bins: Int[Tensor, "*B"], n_bins: int = N_BINS) -> Float[Tensor, "*B"]:
    """El centro de cada casilla, entre −1 y 1.

    Errores: `ValueError` si alguna casilla no existe.
    """
    if bins.numel() and not 0 <= int(bins.min()) <= int(bins.max()) < n_bins:
        raise ValueError(
            f"hay casillas entre {int(bins.min())} y {int(bins.max())} y solo van de 0 a "
            f"{n_bins - 1}: ¿les falta restar dónde empiezan los números en el vocabulario?"
        )
    return (bins.to(torch.get_default_dtype()) + 0.5) * 2 / n_bins - 1
