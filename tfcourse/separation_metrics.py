"""Medir una separación: SI-SNR, qué salida es cada hablante y cuánto se ha mejorado."""

from itertools import permutations

import torch
from jaxtyping import Float, Int
from torch import Tensor

MOST_SPEAKERS = 6  # 720 órdenes; con más, el algoritmo húngaro


def si_snr(estimate: Float[Tensor, "*B T"], target: Float[Tensor, "*B U"]) -> Float[Tensor, "*B"]:
    """Relación señal-ruido invariante a la escala, en decibelios.

    Señal es lo que la estimación tiene en la dirección de la voz verdadera, y ruido, lo demás; las
    dos ondas, sin su media. Fuente: Luo y Mesgarani (2019); Le Roux et al. (2019).
    Errores: `ValueError` si no miden lo mismo.
    """
    if estimate.shape[-1] != target.shape[-1]:
        raise ValueError(
            f"la estimación tiene {estimate.shape[-1]} muestras y la voz, {target.shape[-1]}: "
            "recorta las dos a lo mismo antes de compararlas"
        )
    eps = torch.finfo(estimate.dtype).eps
    estimate = estimate - estimate.mean(dim=-1, keepdim=True)
    target = target - target.mean(dim=-1, keepdim=True)
    share = ((estimate * target).sum(dim=-1, keepdim=True) + eps) / (
        target.square().sum(dim=-1, keepdim=True) + eps
    )
    signal = share * target
    noise = estimate - signal
    ratio = (signal.square().sum(dim=-1) + eps) / (noise.square().sum(dim=-1) + eps)
    return 10 * ratio.log10()


def pair_scores(
    estimates: Float[Tensor, "B S T"], targets: Float[Tensor, "B S T"]
) -> Float[Tensor, "B S S"]:
    """SI-SNR de cada salida (filas) con cada hablante (columnas)."""
    size = (*estimates.shape[:2], *targets.shape[1:])
    return si_snr(estimates[:, :, None].expand(size), targets[:, None].expand(size))


def best_order(scores: Float[Tensor, "B S S"]) -> Int[Tensor, "B S"]:
    """Qué salida le toca a cada hablante para que la suma sea la mayor: se prueban todas.

    Fuente: Yu et al. (2017); Kolbæk et al. (2017). Errores: `ValueError` si hay demasiados.
    """
    count = scores.shape[1]
    if count > MOST_SPEAKERS:
        raise ValueError(
            f"con {count} hablantes hay demasiados órdenes que probar: usa "
            "tfcourse.matching.hungarian, que no los recorre todos"
        )
    orders = torch.tensor(list(permutations(range(count))), device=scores.device)
    totals = scores[:, orders, torch.arange(count)].sum(dim=-1)  # (B, S!)
    return orders[totals.argmax(dim=-1)]


def reordered(
    estimates: Float[Tensor, "B S T"], order: Int[Tensor, "B S"]
) -> Float[Tensor, "B S T"]:
    """Las salidas, cada una en el sitio de su hablante."""
    return estimates.gather(1, order[..., None].expand_as(estimates))


def matched_scores(
    estimates: Float[Tensor, "B S T"], targets: Float[Tensor, "B S T"]
) -> Float[Tensor, "B S"]:
    """SI-SNR de cada hablante con la salida que le toca."""
    scores = pair_scores(estimates, targets)
    order = best_order(scores.detach())
    return scores.gather(1, order[:, None])[:, 0]


def permutation_loss(
    estimates: Float[Tensor, "B S T"], targets: Float[Tensor, "B S T"]
) -> Float[Tensor, ""]:
    """Pérdida invariante a la permutación: menos la SI-SNR media, con el mejor de los órdenes.

    El orden se elige para el clip entero. Fuente: Kolbæk et al. (2017).
    """
    return -matched_scores(estimates, targets).mean()


def improvement(
    estimates: Float[Tensor, "B S T"],
    targets: Float[Tensor, "B S T"],
    mixture: Float[Tensor, "B T"],
) -> Float[Tensor, " B"]:
    """Mejora de SI-SNR (SI-SNRi): lo que se gana, de media, respecto a dejar la mezcla como está.

    Vale 0 para quien devuelve la mezcla en todas las salidas.
    """
    before = si_snr(mixture[:, None].expand_as(targets), targets)
    return (matched_scores(estimates, targets) - before).mean(dim=-1)
