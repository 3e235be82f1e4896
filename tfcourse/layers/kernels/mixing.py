"""Sustitutos de la atención: mezclar las posiciones sin comparar ninguna pareja."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.kernels.partial import check_self_attention, key_mask


class FourierMixing:
    """FNet: la parte real de la transformada de Fourier de posiciones y rasgos. No aprende nada.

    Solo usa los valores, con las cabezas unidas. Fuente: Lee-Thorp et al. (2022), ec. 3, aquí con
    la normalización unitaria, que conserva el tamaño de los vectores.
    """

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Coste O(L log L): cada salida depende de todas las entradas, siempre igual."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        if visible is not None:
            v = v * visible[..., None]
        joined = v.transpose(1, 2).flatten(2)
        precise = torch.promote_types(v.dtype, torch.float32)  # en bf16 no hay transformada
        mixed = torch.fft.fft2(joined.to(precise), norm="ortho").real.to(v.dtype)
        return mixed.unflatten(2, (v.shape[1], -1)).transpose(1, 2)


class FastformerAttention(nn.Module):
    """Fastformer: una consulta global que resume a todas, y una clave global que resume el resto.

    αᵢ = softmax(w_q·qᵢ/√d), q = Σ αᵢqᵢ; pᵢ = q ⊙ kᵢ, βᵢ = softmax(w_k·pᵢ/√d), k = Σ βᵢpᵢ; y la
    salida es W(k ⊙ vᵢ) + qᵢ. Fuente: Wu et al. (2021), ec. 3–7.
    """

    def __init__(self, n_heads: int, d_head: int):
        super().__init__()
        self.query_score = nn.Parameter(torch.randn(n_heads, 1, d_head))
        self.key_score = nn.Parameter(torch.randn(n_heads, 1, d_head))
        self.transform = nn.Linear(d_head, d_head)

    def forward(self, q, k, v, *, mask=None, bias=None):
        """Coste O(L · d): nadie se compara con nadie; todos hablan con el resumen."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        global_q = self.summarize(q, self.query_score, visible)
        global_k = self.summarize(global_q * k, self.key_score, visible)
        return self.transform(global_k * v) + q

    def summarize(
        self, x: Float[Tensor, "B H L D"], score: Float[Tensor, "H 1 D"], visible: Tensor | None
    ) -> Float[Tensor, "B H 1 D"]:
        """Atención aditiva: una media con los pesos que da un solo vector aprendido."""
        scores = (x * score).sum(-1) / math.sqrt(x.shape[-1])
        return (masked_softmax(scores, visible)[..., None] * x).sum(2, keepdim=True)
