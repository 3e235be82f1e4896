"""Otras dos maneras de tener menos tokens: cuadrados que se pisan y claves reducidas."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.image.patches import PatchEmbedding
from tfcourse.layers.norms import LayerNorm


def soft_split(
    x: Float[Tensor, "B C H W"], kernel: int, stride: int, padding: int
) -> Float[Tensor, "B N P"]:
    """Cuadrados que se pisan, aplanados: la partición blanda de T2T.

    Sin pisarse (`stride = kernel`) y sin relleno, son los parches de siempre.
    Fuente: Yuan et al. (2021), § 3.1.
    """
    return F.unfold(x, kernel, stride=stride, padding=padding).transpose(1, 2)


class SpatialReductionAttention(nn.Module):
    """Atención con reducción espacial: todas las consultas, y una clave por cada R × R casillas.

    Fuente: Wang et al. (2021), § 3.3. Errores: `ValueError` si el mapa no se reparte en cuadrados.
    """

    def __init__(self, d_model: int, n_heads: int, reduction: int):
        super().__init__()
        self.reduction = PatchEmbedding(d_model, reduction, d_model)
        self.norm = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, n_heads)

    def forward(self, x: Float[Tensor, "B N D"], grid: tuple[int, int]) -> Float[Tensor, "B N D"]:
        """Cada token mira a los resúmenes; `grid` son las filas y columnas de tokens."""
        few = self.norm(self.reduction(x.transpose(1, 2).unflatten(-1, grid)))
        return self.attention(x, few, few)
