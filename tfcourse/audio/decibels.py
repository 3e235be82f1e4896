"""Decibelios: razones de potencia en escala logarítmica, con su referencia y su suelo."""

import torch
from jaxtyping import Float
from torch import Tensor


def to_decibels(
    power: Float[Tensor, "..."], reference: float | Tensor = 1.0, floor_db: float | None = None
) -> Float[Tensor, "..."]:
    """10 · log₁₀(potencia / referencia), con un suelo.

    `floor_db` son los decibelios que se conservan por debajo del máximo de todo el tensor: con 80,
    nada queda más de 80 dB por debajo de lo más fuerte. Sin él, el silencio se queda en
    10 · log₁₀(10⁻¹⁰ / referencia), porque el logaritmo de 0 no existe.
    Errores: `ValueError` si hay potencias negativas o si la referencia o el suelo no son positivos.
    """
    if (power < 0).any():
        raise ValueError("hay potencias negativas: pasa |X|², no la onda ni los decibelios")
    reference = torch.as_tensor(reference, dtype=power.dtype, device=power.device)
    if not (reference > 0).all() or (floor_db is not None and floor_db <= 0):
        raise ValueError(
            f"reference={reference.tolist()} y floor_db={floor_db}: los dos son positivos"
        )
    decibels = 10 * (power.clamp(min=1e-10).log10() - reference.log10())
    if floor_db is not None:
        decibels = decibels.clamp(min=float(decibels.max()) - floor_db)
    return decibels


def from_decibels(decibels: Float[Tensor, "..."], reference: float = 1.0) -> Float[Tensor, "..."]:
    """Potencia de unos decibelios: referencia · 10^(dB / 10)."""
    return reference * 10 ** (decibels / 10)
