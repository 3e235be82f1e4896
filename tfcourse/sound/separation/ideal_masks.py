"""Máscaras ideales: lo mejor que se puede hacer multiplicando el espectro, con trampa."""

import torch
from jaxtyping import Complex, Float
from torch import Tensor

from tfcourse.audio.stft import istft, stft


def ideal_ratio_masks(spectra: Complex[Tensor, "B S F L"]) -> Float[Tensor, "B S F L"]:
    """Máscara de razón ideal (IRM): qué parte del módulo es de cada hablante.

    Hace falta conocer las voces por separado: es una cota, no un método. Donde no suena nadie, se
    reparte por igual. Fuente: Luo y Mesgarani (2019); Wang et al. (2014).
    """
    size = spectra.abs()
    total = size.sum(dim=1, keepdim=True)
    return torch.where(total > 0, size / total.clamp_min(1e-30), 1 / spectra.shape[1])


def ideal_separation(
    targets: Float[Tensor, "B S T"], n_fft: int = 512, hop: int = 128
) -> Float[Tensor, "B S T"]:
    """Lo que sale de poner a la suma de las voces sus máscaras ideales."""
    masks = ideal_ratio_masks(stft(targets, n_fft, hop))
    mixture = stft(targets.sum(dim=1), n_fft, hop)
    return istft(masks * mixture[:, None], hop, targets.shape[-1])
