"""Linformer: comprimir las claves y los valores antes de mirarlos."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import fused_attention
from tfcourse.layers.kernels.partial import key_mask


def pooling_matrix(k: int, length: int) -> Float[Tensor, "k L"]:
    """Matriz que promedia la secuencia en k trozos; con k = L, la identidad.

    Errores: `ValueError` si k no está entre 1 y la longitud.
    """
    if not 1 <= k <= length:
        raise ValueError(f"k={k}: debe estar entre 1 y la longitud, {length}")
    place = torch.arange(length) * k // length
    matrix = (torch.arange(k)[:, None] == place).float()
    return matrix / matrix.sum(dim=1, keepdim=True)


class LinformerAttention(nn.Module):
    """Linformer: atención a k resúmenes de las claves y de los valores.

    softmax(Q (E K)ᵀ/√d) F V, con E y F de k × n, que se aprenden; aquí empiezan promediando.
    Fuente: Wang et al. (2020), ec. 7, con E y F compartidas entre cabezas. Errores: `ValueError` si
    la secuencia mide más de `max_length`.
    """

    def __init__(self, max_length: int, k: int):
        super().__init__()
        self.key_proj = nn.Parameter(pooling_matrix(k, max_length))
        self.value_proj = nn.Parameter(pooling_matrix(k, max_length))

    def forward(self, q, k, v, *, mask=None, bias=None):
        """Comprime y atiende: coste O(L · k)."""
        visible = key_mask(q, k, v, mask, bias)
        length = k.shape[2]
        if length > self.key_proj.shape[1]:
            raise ValueError(
                f"hay {length} claves y E solo tiene {self.key_proj.shape[1]} columnas: crea el "
                "núcleo con un max_length mayor"
            )
        if visible is not None:  # lo que no existe no entra en ningún resumen
            k, v = (x * visible[..., None] for x in (k, v))
        return fused_attention(q, self.key_proj[:, :length] @ k, self.value_proj[:, :length] @ v)
