"""Quién compite: las once funciones de alineamiento, sus retoques y las maneras de repartir."""

import math
from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.alignment.aligned import AlignedAttention, DeAttention
from tfcourse.layers.alignment.distributions import deattention, entmax, sigmoid_weights, sparsemax
from tfcourse.layers.alignment.functions import (
    AdditiveAlignment,
    Alignment,
    DotAlignment,
    GeneralAlignment,
)
from tfcourse.layers.alignment.networks import DeepAlignment, FeatureAlignment, LocationAlignment
from tfcourse.layers.alignment.products import (
    ActivatedGeneralAlignment,
    BiasedGeneralAlignment,
    CosineAlignment,
    KernelAlignment,
    ScaledDotAlignment,
)
from tfcourse.layers.attention import masked_softmax
from tfcourse.text.alignment.recipe import D

Maker = Callable[[], nn.Module]


class MeanAlignment(Alignment):
    """Alineamiento de control: a todas las claves les da el mismo puntaje."""

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dk"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """No compara nada."""
        return q.new_zeros(q.shape[0], q.shape[1], keys.shape[1])


class RescaledAlignment(Alignment):
    """Cualquier alineamiento, con sus puntajes multiplicados por un número fijo."""

    def __init__(self, alignment: Alignment, factor: float):
        super().__init__()
        self.alignment, self.factor = alignment, factor

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """Lo que prepare el alineamiento de dentro."""
        return self.alignment.prepare_keys(k)

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dp"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Los mismos puntajes, más separados o más juntos."""
        return self.factor * self.alignment(q, keys)


class RescaledDeAttention(DeAttention):
    """La des-atención con su afinidad multiplicada por un número fijo."""

    def __init__(self, d_query: int, d_key: int, d_hidden: int, factor: float):
        super().__init__(d_query, d_key, d_hidden)
        self.factor = factor

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        keys: Float[Tensor, "B Lk H"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "..."] | None = None,
        position: int = 0,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Lk"]]:
        """Mezcla con pesos entre −1 y 1."""
        q = self.query_proj(q)
        affinity = self.factor * q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = deattention(affinity, -torch.cdist(q, keys, p=1) / q.shape[-1], mask)
        return weights @ values, weights


ALIGNMENTS: dict[str, Maker] = {
    "coseno": CosineAlignment,
    "producto": DotAlignment,
    "escalado": ScaledDotAlignment,
    "general": lambda: GeneralAlignment(D, D),
    "general + sesgo": lambda: BiasedGeneralAlignment(D, D),
    "general + tanh": lambda: ActivatedGeneralAlignment(D, D),
    "núcleo": lambda: KernelAlignment(D, n_features=64, scale=D**-0.25),
    "aditiva": lambda: AdditiveAlignment(D, D, D),
    "profunda": lambda: DeepAlignment(D, D, D),
    "posición": lambda: LocationAlignment(D, max_length=40),
    "rasgos": lambda: FeatureAlignment(D, D, D),
}

# Cada retoque cambia una sola cosa de una de las once.
VARIANTS: dict[str, Maker] = {
    "coseno con β = 1": lambda: CosineAlignment(sharpness=1.0),
    "general + 10 tanh": lambda: RescaledAlignment(ActivatedGeneralAlignment(D, D), 10.0),
    "aditiva con ReLU": lambda: DeepAlignment(D, D, D, n_hidden_layers=1),
    "profunda con 3 capas": lambda: DeepAlignment(D, D, D, n_hidden_layers=3),
}

# Manera de repartir → la atención, con los puntajes multiplicados por un factor.
DISTRIBUTIONS: dict[str, Callable[[float], nn.Module]] = {
    name: lambda factor, share=share: AlignedAttention(
        RescaledAlignment(DotAlignment(), factor), share
    )
    for name, share in {
        "softmax": masked_softmax,
        "1,5-entmax": entmax,
        "sparsemax": sparsemax,
        "sigmoide": sigmoid_weights,
    }.items()
} | {"des-atención": lambda factor: RescaledDeAttention(D, D, 32, factor)}


def with_softmax(make_alignment: Maker) -> Maker:
    """La atención que reparte con softmax lo que puntúa ese alineamiento."""
    return lambda: AlignedAttention(make_alignment())
