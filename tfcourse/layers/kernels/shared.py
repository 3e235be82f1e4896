"""Atención compartida (SAN): capas vecinas que miran casi igual pueden mirar una sola vez."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.layers.attention import attention, attention_weights


class SharedAttention:
    """Núcleo que calcula una vez y reparte entre las `n_layers` capas seguidas que lo usan.

    Se da el mismo objeto a esas capas, que se turnan: la primera calcula los pesos; las demás los
    reutilizan con sus propios valores. Con `share="mezcla"` reutilizan la mezcla entera, como en
    la atención cruzada del decodificador. Al acabar el turno no queda nada guardado.
    Fuente: Xiao et al. (2019), § 3.1. Errores: `ValueError` si `n_layers` o `share` no valen.
    """

    def __init__(self, n_layers: int, share: str = "pesos"):
        if n_layers < 1 or share not in ("pesos", "mezcla"):
            raise ValueError(
                f"n_layers={n_layers}, share={share!r}: hace falta al menos una capa, y compartir "
                "«pesos» o «mezcla»"
            )
        self.n_layers, self.share = n_layers, share
        self.turn, self.kept = 0, None

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """La primera capa del grupo calcula; el resto aprovecha lo que calculó."""
        if self.turn == 0:
            self.kept = (
                attention_weights(q, k, mask=mask, bias=bias)
                if self.share == "pesos"
                else attention(q, k, v, mask=mask, bias=bias)
            )
        mixed = self.kept @ v if self.share == "pesos" else self.kept
        self.turn = (self.turn + 1) % self.n_layers
        if self.turn == 0:
            self.kept = None
        return mixed


def jensen_shannon(p: Float[Tensor, "*B L"], q: Float[Tensor, "*B L"]) -> Float[Tensor, "*B"]:
    """Divergencia de Jensen-Shannon, en bits: 0 si son iguales, 1 si no coinciden en nada.

    JS(p, q) = ½ KL(p ‖ m) + ½ KL(q ‖ m), con m = (p + q)/2. Simétrica y siempre finita.
    """
    middle = (p + q) / 2
    return (_kl_bits(p, middle) + _kl_bits(q, middle)) / 2


def _kl_bits(p: Tensor, q: Tensor) -> Tensor:
    ratio = torch.where(p > 0, p / q.clamp(min=torch.finfo(q.dtype).tiny), 1.0)
    return (p * ratio.log2()).sum(dim=-1)


def layer_similarity(maps: Sequence[Float[Tensor, "B H L L"]]) -> Float[Tensor, "N N"]:
    """Parecido entre capas, 1 − JS, en media sobre ejemplos, cabezas y consultas.

    `maps` son los pesos de cada capa. Fuente: Xiao et al. (2019), § 3.2.
    """
    return torch.stack([torch.stack([1 - jensen_shannon(a, b).mean() for b in maps]) for a in maps])


def sharing_plan(similarity: Float[Tensor, "N N"], threshold: float) -> list[int]:
    """Reparto de las capas en grupos seguidos: cuántas hay en cada uno.

    Desde la primera capa libre, el grupo crece mientras el parecido medio entre sus parejas no
    baje del umbral; después se entrena otra vez y se repite hasta que el reparto no cambie.
    Fuente: Xiao et al. (2019), § 3.2. Errores: `ValueError` si el umbral no está entre 0 y 1.
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold={threshold}: es un parecido, entre 0 y 1")
    plan, first, n_layers = [], 0, len(similarity)
    while first < n_layers:
        size = 1
        while first + size < n_layers and _mean_pairs(similarity, first, size + 1) >= threshold:
            size += 1
        plan.append(size)
        first += size
    return plan


def _mean_pairs(similarity: Tensor, first: int, size: int) -> float:
    group = similarity[first : first + size, first : first + size]
    above = torch.ones_like(group, dtype=torch.bool).triu(1)
    return group[above].mean().item()
