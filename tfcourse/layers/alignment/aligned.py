"""La atención en general: una función de alineamiento, una de distribución y una mezcla.

Todas las clases comparten firma: `prepare_keys(k)` una vez por secuencia y después
`forward(q, keys, values, mask, position)`, que devuelve la mezcla y los pesos con los que se hizo.
`position` es el lugar que ocupa la primera consulta en la salida; casi ninguna lo necesita.
"""

import math
from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.alignment.distributions import deattention
from tfcourse.layers.alignment.functions import Alignment
from tfcourse.layers.attention import masked_softmax


class AlignedAttention(nn.Module):
    """Atención general: A(q, K, V) = Σ_i p(a(k_i, q)) v_i.

    `alignment` es a, la función de alineamiento, y `distribution` es p, la que convierte puntajes
    en pesos. Fuente: Chaudhari et al. (2021), ec. 1.
    """

    def __init__(self, alignment: Alignment, distribution: Callable[..., Tensor] = masked_softmax):
        super().__init__()
        self.alignment = alignment
        self.distribution = distribution

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """Lo que no depende de la consulta, una vez por secuencia."""
        return self.alignment.prepare_keys(k)

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        keys: Float[Tensor, "B Lk Dp"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "#B #Lq Lk"] | None = None,
        position: int = 0,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Lk"]]:
        """Compara, reparte y mezcla."""
        weights = self.distribution(self.alignment(q, keys), mask)
        return weights @ values, weights


class DeAttention(nn.Module):
    """Des-atención (CoDA): compara por parecido y por diferencia, y puede restar un valor.

    E = qᵀk/√d es la afinidad y N = −‖q − k‖₁/d, la disimilitud, entre proyecciones de tamaño
    `d_hidden`. Fuente: Tay, Luu, Zhang, Wang y Hui (2019), § 3 (aquí, las dos con las mismas
    proyecciones y escaladas por la dimensión).
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_hidden)
        self.key_proj = nn.Linear(d_key, d_hidden)

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """Proyección de las claves, una vez por secuencia."""
        return self.key_proj(k)

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        keys: Float[Tensor, "B Lk Dp"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "#B #Lq Lk"] | None = None,
        position: int = 0,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Lk"]]:
        """Mezcla con pesos entre −1 y 1."""
        q = self.query_proj(q)
        affinity = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        dissimilarity = -torch.cdist(q, keys, p=1) / q.shape[-1]
        weights = deattention(affinity, dissimilarity, mask)
        return weights @ values, weights
