"""Coatención: dos secuencias que se miran a la vez y se resumen la una en función de la otra."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax


class CoAttention(nn.Module):
    """Coatención paralela: la afinidad de cada pareja decide qué importa en las dos secuencias.

    C = tanh(A W B ᵀ); H_a = tanh(A W_a + C (B W_b)), H_b = tanh(B W_b + Cᵀ (A W_a)); los pesos de
    cada secuencia son el softmax de H w. Fuente: Lu, Yang, Batra y Parikh (2016), ec. 3–5.
    """

    def __init__(self, d_first: int, d_second: int, d_hidden: int):
        super().__init__()
        self.affinity_proj = nn.Linear(d_second, d_first, bias=False)
        self.first_proj = nn.Linear(d_first, d_hidden, bias=False)
        self.second_proj = nn.Linear(d_second, d_hidden, bias=False)
        self.first_score = nn.Linear(d_hidden, 1, bias=False)
        self.second_score = nn.Linear(d_hidden, 1, bias=False)

    def affinity(
        self,
        first: Float[Tensor, "B La Da"],
        second: Float[Tensor, "B Lb Db"],
        pair_mask: Bool[Tensor, "B La Lb"] | None = None,
    ) -> Float[Tensor, "B La Lb"]:
        """Afinidad C de cada elemento de una secuencia con cada uno de la otra."""
        scores = torch.tanh(first @ self.affinity_proj(second).transpose(1, 2))
        return scores if pair_mask is None else scores.masked_fill(~pair_mask, 0.0)

    def forward(
        self,
        first: Float[Tensor, "B La Da"],
        second: Float[Tensor, "B Lb Db"],
        first_mask: Bool[Tensor, "B La"] | None = None,
        second_mask: Bool[Tensor, "B Lb"] | None = None,
    ) -> tuple[tuple[Tensor, Tensor], tuple[Float[Tensor, "B La"], Float[Tensor, "B Lb"]]]:
        """Los dos resúmenes, `((B, Da), (B, Db))`, y los dos juegos de pesos."""
        pair_mask = None
        if first_mask is not None and second_mask is not None:
            pair_mask = first_mask[:, :, None] & second_mask[:, None]
        affinity = self.affinity(first, second, pair_mask)
        seen, other = self.first_proj(first), self.second_proj(second)
        first_hidden = torch.tanh(seen + affinity @ other)
        second_hidden = torch.tanh(other + affinity.transpose(1, 2) @ seen)
        first_weights = masked_softmax(self.first_score(first_hidden)[..., 0], first_mask)
        second_weights = masked_softmax(self.second_score(second_hidden)[..., 0], second_mask)
        summaries = (first_weights[:, None] @ first)[:, 0], (second_weights[:, None] @ second)[:, 0]
        return summaries, (first_weights, second_weights)
