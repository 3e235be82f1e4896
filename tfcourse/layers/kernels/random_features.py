"""Performer: el softmax como un producto de rasgos al azar, multiplicado en otro orden."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.kernels.partial import check_self_attention, key_mask


def gaussian_directions(
    n_features: int, d: int, *, orthogonal: bool = True
) -> Float[Tensor, "m d"]:
    """Direcciones al azar; ortogonales entre sí de d en d, cubren mejor el espacio.

    Las normas se sortean aparte, para que cada fila siga siendo una gaussiana.
    Fuente: Choromanski et al. (2021), § 2.4.
    """
    gaussian = torch.randn(n_features, d)
    if not orthogonal:
        return gaussian
    n_blocks = -(-n_features // d)
    blocks, upper = torch.linalg.qr(torch.randn(n_blocks, d, d))
    # El signo que elige `qr` no es al azar: sin esto, hay sesgo y el error no baja con m.
    blocks = blocks * upper.diagonal(dim1=-2, dim2=-1).sign()[:, None]
    return blocks.mT.flatten(0, 1)[:n_features] * gaussian.norm(dim=1, keepdim=True)


def positive_features(
    x: Float[Tensor, "*B L D"], directions: Float[Tensor, "m D"]
) -> Float[Tensor, "*B L m"]:
    """Logaritmo de los rasgos positivos: ω·x − ‖x‖²/2, uno por dirección.

    La media de exp(ω·x − ‖x‖²/2) exp(ω·y − ‖y‖²/2) con ω gaussiana es exp(x·y).
    Fuente: Choromanski et al. (2021), lema 1.
    """
    return x @ directions.T - x.square().sum(-1, keepdim=True) / 2


class PerformerAttention(nn.Module):
    """Performer (FAVOR+): φ(Q)(φ(K)ᵀV), normalizado, sin construir φ(Q)φ(K)ᵀ.

    Coste O(L · m · d). El error baja como 1/√m. Con `causal`, las sumas se acumulan por bloques.
    Fuente: Choromanski et al. (2021), § 2. Errores: `ValueError` si `n_features` no es positivo.
    """

    def __init__(
        self, d_head: int, n_features: int, *, orthogonal: bool = True, causal: bool = False
    ):
        super().__init__()
        if n_features < 1:
            raise ValueError(f"n_features={n_features}: hace falta al menos un rasgo")
        directions = gaussian_directions(n_features, d_head, orthogonal=orthogonal)
        self.register_buffer("directions", directions)
        self.causal = causal

    def features(self, q, k, visible=None) -> tuple[Tensor, Tensor]:
        """φ(Q) y φ(K), multiplicados por constantes que se cancelan al normalizar."""
        scale = q.shape[-1] ** -0.25  # √(1/√d) a cada lado: juntas, el 1/√d de siempre
        log_q, log_k = (positive_features(x * scale, self.directions) for x in (q, k))
        if visible is not None:
            log_k = log_k.masked_fill(~visible[..., None], -math.inf)
        top_k = log_k.amax(dim=(-2, -1), keepdim=True).clamp(min=torch.finfo(k.dtype).min)
        phi_q = (log_q - log_q.amax(-1, keepdim=True).detach()).exp()
        return phi_q, (log_k - top_k.detach()).exp()

    def forward(self, q, k, v, *, mask=None, bias=None):
        """Multiplica de derecha a izquierda: primero φ(K)ᵀV, que no depende de las consultas."""
        visible = key_mask(q, k, v, mask, bias)
        phi_q, phi_k = self.features(q, k, visible)
        v = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)  # la última columna suma los pesos
        if self.causal:
            check_self_attention(q, k)
            total = causal_product(phi_q, phi_k, v)
        else:
            total = phi_q @ (phi_k.mT @ v)
        mixed, norm = total[..., :-1], total[..., -1:]
        return mixed / norm.clamp(min=torch.finfo(q.dtype).tiny)


def causal_product(
    phi_q: Float[Tensor, "B H L m"],
    phi_k: Float[Tensor, "B H L m"],
    v: Float[Tensor, "B H L D"],
    block: int = 64,
) -> Float[Tensor, "B H L D"]:
    """Σ_{j ≤ i} φ(qᵢ)·φ(kⱼ) vⱼ, por bloques: lo de los anteriores va acumulado en una matriz m × D.

    Fuente: Katharopoulos et al. (2020), § 3.2, y Choromanski et al. (2021), apéndice B.1.
    """
    state, outputs = 0.0, []
    for q, k, x in zip(*(t.split(block, dim=2) for t in (phi_q, phi_k, v)), strict=True):
        inside = (q @ k.mT).tril() @ x
        outputs.append(inside if isinstance(state, float) else inside + q @ state)
        state = state + k.mT @ x
    return torch.cat(outputs, dim=2)
