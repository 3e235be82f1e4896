"""Funciones de alineamiento: cuánto le interesa a una consulta cada clave.

Todas comparten firma: `prepare_keys` se llama una vez por secuencia y hace lo que no depende de
la consulta; `forward` devuelve los puntajes, sin normalizar.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Alignment(nn.Module):
    """Base de las funciones de alineamiento: las claves se usan tal como llegan."""

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """Prepara las claves, una vez por secuencia."""
        return k

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dp"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Puntajes de cada consulta con cada clave preparada."""
        raise NotImplementedError("cada función de alineamiento define sus puntajes")


class AdditiveAlignment(Alignment):
    """Alineamiento aditivo: vᵀ tanh(W_q q + W_k k).

    Una red de una capa oculta compara dos vectores que no tienen por qué vivir en el mismo
    espacio. Fuente: Bahdanau, Cho y Bengio (2015), apéndice A.1.2.
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_hidden, bias=False)
        self.key_proj = nn.Linear(d_key, d_hidden, bias=False)
        self.score_proj = nn.Linear(d_hidden, 1, bias=False)

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """W_k k: no depende de la consulta, así que se calcula una sola vez."""
        return self.key_proj(k)

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dp"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Compara cada consulta con cada clave: (B, Lq, 1, Dp) + (B, 1, Lk, Dp)."""
        hidden = torch.tanh(self.query_proj(q)[:, :, None] + keys[:, None])
        return self.score_proj(hidden).squeeze(-1)


class DotAlignment(Alignment):
    """Alineamiento por producto escalar: qᵀk. Consulta y clave miden lo mismo.

    Fuente: Luong, Pham y Manning (2015), § 3.1 («dot»).
    """

    def forward(
        self, q: Float[Tensor, "B Lq D"], keys: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Multiplica cada consulta por cada clave."""
        return q @ keys.transpose(-2, -1)


class GeneralAlignment(DotAlignment):
    """Alineamiento general: qᵀ W k, un producto escalar tras llevar la clave a la consulta.

    Fuente: Luong, Pham y Manning (2015), § 3.1 («general»).
    """

    def __init__(self, d_query: int, d_key: int):
        super().__init__()
        self.key_proj = nn.Linear(d_key, d_query, bias=False)

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """W k, una vez por secuencia."""
        return self.key_proj(k)
