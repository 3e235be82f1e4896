"""GloVe: vectores cuyos productos imitan el logaritmo de cuántas veces van juntas dos palabras."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class GloVe(nn.Module):
    """GloVe: w_i · w̃_j + b_i + b̃_j ≈ log X_ij.

    Fuente: Pennington, Socher y Manning (2014), ec. 7.
    """

    def __init__(self, n_words: int, d_embedding: int):
        super().__init__()
        self.centre, self.context = (nn.Embedding(n_words, d_embedding) for _ in range(2))
        self.centre_bias, self.context_bias = (nn.Embedding(n_words, 1) for _ in range(2))
        for table in (self.centre, self.context):
            nn.init.uniform_(table.weight, -0.5 / d_embedding, 0.5 / d_embedding)
        for table in (self.centre_bias, self.context_bias):
            nn.init.zeros_(table.weight)

    def forward(self, rows: Int[Tensor, "B"], columns: Int[Tensor, "B"]) -> Float[Tensor, "B"]:
        """Logaritmo previsto de la coocurrencia de cada pareja."""
        product = (self.centre(rows) * self.context(columns)).sum(-1)
        return product + self.centre_bias(rows)[:, 0] + self.context_bias(columns)[:, 0]

    @torch.no_grad()
    def vectors(self) -> Float[Tensor, "V D"]:
        """La suma de las dos tablas, como en el artículo (§ 4.2)."""
        return self.centre.weight + self.context.weight


def glove_loss(
    model: GloVe, batch: tuple[Tensor, Tensor, Tensor], cap: float = 100.0, power: float = 0.75
) -> Float[Tensor, ""]:
    """Mínimos cuadrados ponderados: f(X) (previsto − log X)², con f(X) = min(1, X/cap)^¾.

    Fuente: Pennington, Socher y Manning (2014), ecs. 8 y 9.
    """
    rows, columns, counts = batch
    weight = (counts / cap).clamp(max=1.0) ** power
    return (weight * (model(rows, columns) - counts.log()) ** 2).mean()
