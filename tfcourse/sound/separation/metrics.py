"""Medir una separación: SI-SNR, qué salida es cada hablante y cuánto se ha mejorado."""

from collections.abc import Callable, Iterable
from itertools import permutations

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.sounds.voice_mixtures import Mixtures
from tfcourse.models.sepformer import SepFormer
from tfcourse.sound.separation.ideal_masks import (
    ideal_ratio_masks,
    ideal_separation,
    searched_separation,
)

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
            "tfcourse.losses.matching.hungarian, que no los recorre todos"
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


@torch.no_grad()
def gains(model: SepFormer, mixtures: Mixtures, batch_size: int = 20) -> Float[Tensor, " N"]:
    """Mejora de SI-SNR en cada mezcla, en decibelios."""
    was_training = model.training
    model.eval()
    found = [_gain(model, sources) for sources in mixtures.sources.split(batch_size)]
    model.train(was_training)
    return torch.cat(found)


@torch.no_grad()
def mean_gain(
    separate: Callable[[Tensor], Tensor], mixtures: Iterable[Float[Tensor, "S _"]]
) -> float:
    """Mejora media de SI-SNR de unas mezclas que no miden lo mismo, una a una y enteras.

    `separate(voces)`, con las voces `(1, S, T)` de una mezcla, da las que se recuperan.
    Errores: `ValueError` si no hay ninguna.
    """
    found = []
    for sources in mixtures:
        targets = sources[None]
        found.append(improvement(separate(targets), targets, targets.sum(dim=1)))
    if not found:
        raise ValueError("no hay ninguna mezcla que medir: revisa la carpeta y la parte")
    return float(torch.cat(found).mean())


def separator(model: nn.Module) -> Callable[[Tensor], Tensor]:
    """El modelo, listo para `mean_gain`: oye la suma de las voces, donde él esté."""
    device = next(model.parameters()).device
    return lambda targets: model.eval()(targets.sum(dim=1).to(device)).cpu()


def _gain(model: SepFormer, sources: Float[Tensor, "B S T"]) -> Float[Tensor, " B"]:
    """La mejora de cada mezcla de un lote."""
    return improvement(separator(model)(sources), sources, sources.sum(dim=1))


def ideal_gains(
    mixtures: Mixtures,
    n_fft: int = 512,
    hop: int = 128,
    masks: Callable[[Tensor], Tensor] = ideal_ratio_masks,
) -> Float[Tensor, " N"]:
    """Lo que se mejora en cada mezcla con unas máscaras ideales; sin decir cuáles, las de razón."""
    estimates = ideal_separation(mixtures.sources, n_fft, hop, masks)
    return improvement(estimates, mixtures.sources, mixtures.waves)


def searched_gains(mixtures: Mixtures, steps: int) -> Float[Tensor, " N"]:
    """Lo que se mejora si la máscara, de dos voces, se busca con el gradiente de la medida."""
    estimates = searched_separation(mixtures.sources, si_snr, steps)
    return improvement(estimates, mixtures.sources, mixtures.waves)
