"""Máscaras ideales: lo que se saca multiplicando el espectro, con trampa."""

from collections.abc import Callable

import torch
from jaxtyping import Complex, Float
from torch import Tensor

from tfcourse.audio.stft import istft, stft


def ideal_ratio_masks(spectra: Complex[Tensor, "B S F L"]) -> Float[Tensor, "B S F L"]:
    """Máscara de razón ideal (IRM): qué parte del módulo es de cada hablante.

    Hace falta conocer las voces por separado: no es un método. Donde no suena nadie, se reparte por
    igual. Fuente: Luo y Mesgarani (2019); Wang et al. (2014).
    """
    size = spectra.abs()
    total = size.sum(dim=1, keepdim=True)
    return torch.where(total > 0, size / total.clamp_min(1e-30), 1 / spectra.shape[1])


def wiener_masks(spectra: Complex[Tensor, "B S F L"]) -> Float[Tensor, "B S F L"]:
    """Máscara de Wiener: qué parte de la potencia es de cada hablante.

    Fuente: Erdogan et al. (2015), tabla 1.
    """
    return ideal_ratio_masks(spectra * spectra.abs())  # su módulo es la potencia


def binary_masks(spectra: Complex[Tensor, "B S F L"]) -> Float[Tensor, "B S F L"]:
    """Máscara binaria ideal (IBM): cada casilla, entera, para quien más suena en ella.

    Fuente: Wang et al. (2014).
    """
    size = spectra.abs()
    winner = size.argmax(dim=1, keepdim=True)
    return torch.zeros_like(size).scatter(1, winner, 1.0)


def phase_sensitive_masks(spectra: Complex[Tensor, "B S F L"]) -> Float[Tensor, "B S F L"]:
    """La mejor máscara entre 0 y 1: la que deja cada casilla lo más cerca posible de su voz.

    Es `Re(S · conj(X)) / |X|²`, con X la mezcla, recortada. Hace mínimo `|M·X − S|²` en cada
    casilla, y tiene en cuenta que la fase de la mezcla no es la de la voz. Fuente: Erdogan et al.
    (2015).
    """
    mixture = spectra.sum(dim=1, keepdim=True)
    along = (spectra * mixture.conj()).real
    return (along / mixture.abs().square().clamp_min(1e-30)).clamp(0, 1)


def ideal_separation(
    targets: Float[Tensor, "B S T"],
    n_fft: int = 512,
    hop: int = 128,
    masks: Callable[[Tensor], Tensor] = ideal_ratio_masks,
) -> Float[Tensor, "B S T"]:
    """Lo que sale de poner a la suma de las voces sus máscaras ideales."""
    parts = masks(stft(targets, n_fft, hop))
    mixture = stft(targets.sum(dim=1), n_fft, hop)
    return istft(parts * mixture[:, None], hop, targets.shape[-1])


def searched_separation(
    targets: Float[Tensor, "B S T"],
    score: Callable[[Tensor, Tensor], Tensor],
    steps: int,
    n_fft: int = 512,
    hop: int = 128,
) -> Float[Tensor, "B S T"]:
    """Lo que sale de buscar las máscaras de dos voces subiendo por el gradiente de `score`.

    Parte de las sensibles a la fase. Las dos suman 1 y están entre 0 y 1.
    Errores: `ValueError` si no hay justo dos voces.
    """
    if targets.shape[1] != 2:
        raise ValueError(f"hay {targets.shape[1]} voces: la búsqueda es para mezclas de dos")
    mixture = stft(targets.sum(dim=1), n_fft, hop)[:, None]
    begin = phase_sensitive_masks(stft(targets, n_fft, hop))[:, :1].clamp(0.01, 0.99)
    logit = torch.logit(begin).requires_grad_()
    optimizer = torch.optim.Adam([logit], lr=0.1)

    def separated() -> Tensor:
        mask = logit.sigmoid()
        return istft(torch.cat([mask, 1 - mask], dim=1) * mixture, hop, targets.shape[-1])

    for _ in range(steps):
        optimizer.zero_grad()
        (-score(separated(), targets).mean()).backward()
        optimizer.step()
    return separated().detach()
