"""Atención sobre las representaciones: cuál de varias conviene, y qué rasgos de cada una."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax


class RepresentationAttention(nn.Module):
    """Atención multirrepresentación: cada elemento llega descrito de R maneras y se mezclan.

    x′ = Σ_r α_r P_r x_r, con α = softmax de aᵀP_r x_r + b: los pesos se reparten entre las
    representaciones de un mismo elemento, no entre posiciones.
    Fuente: Kiela, Wang y Cho (2018), § 3.2. Errores: `ValueError` si no llegan tantas
    representaciones como se anunciaron.
    """

    def __init__(self, sizes: tuple[int, ...], d_model: int):
        super().__init__()
        self.projections = nn.ModuleList(nn.Linear(size, d_model) for size in sizes)
        self.score_proj = nn.Linear(d_model, 1)

    def forward(
        self, representations: tuple[Float[Tensor, "B L _"], ...]
    ) -> tuple[Float[Tensor, "B L D"], Float[Tensor, "B L R"]]:
        """Mezcla de las representaciones de cada elemento y sus pesos."""
        if len(representations) != len(self.projections):
            raise ValueError(
                f"han llegado {len(representations)} representaciones y se anunciaron "
                f"{len(self.projections)}: pasa una por cada tamaño de `sizes`"
            )
        projected = torch.stack(
            [project(x) for project, x in zip(self.projections, representations, strict=True)],
            dim=2,
        )
        weights = self.score_proj(projected)[..., 0].softmax(dim=-1)
        return (weights[..., None] * projected).sum(dim=2), weights


class MultiDimensionalAttention(nn.Module):
    """Atención multidimensional: un peso por posición **y por rasgo**.

    El puntaje es un vector, W tanh(W_k k + W_q q + b_1) + b_2, con una componente por rasgo del
    valor; el softmax recorre las posiciones, por separado en cada rasgo.
    Fuente: Shen et al. (2018), ec. 8, con tangente hiperbólica.
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int, d_value: int):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_hidden)
        self.key_proj = nn.Linear(d_key, d_hidden, bias=False)
        self.score_proj = nn.Linear(d_hidden, d_value)

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        k: Float[Tensor, "B Lk Dk"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "#B #Lq Lk"] | None = None,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Dv Lk"]]:
        """Mezcla rasgo a rasgo y sus pesos, con las posiciones en el último eje."""
        hidden = torch.tanh(self.query_proj(q)[:, :, None] + self.key_proj(k)[:, None])
        scores = self.score_proj(hidden).transpose(-2, -1)
        weights = masked_softmax(scores, None if mask is None else mask[:, :, None])
        return torch.einsum("bqdk,bkd->bqd", weights, values), weights
