"""Funciones de distribución: de los puntajes a los pesos.

Todas comparten la firma de `masked_softmax`, `(scores, mask=None) → weights`, sobre el último eje.
Una fila que no puede mirar a nadie recibe ceros.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.masks import check_mask

BISECTIONS = 50  # en cada una se divide el error entre dos: 2⁻⁵⁰ es menos que el de float64


class SparsemaxFunction(torch.autograd.Function):
    """Proyección sobre el símplex y su derivada, escritas a mano."""

    @staticmethod
    def forward(ctx, scores):
        """El umbral, con los puntajes ordenados: entran los que lo superan."""
        ordered = scores.sort(dim=-1, descending=True).values
        total = ordered.cumsum(dim=-1)
        rank = torch.arange(1, scores.shape[-1] + 1, device=scores.device, dtype=scores.dtype)
        n_support = (1 + rank * ordered > total).sum(dim=-1, keepdim=True)
        threshold = (total.gather(-1, n_support - 1) - 1) / n_support
        weights = (scores - threshold).clamp(min=0)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        """En el soporte se resta la media del gradiente; fuera no pasa nada."""
        (weights,) = ctx.saved_tensors
        support = weights > 0
        inside = grad.masked_fill(~support, 0)
        average = inside.sum(dim=-1, keepdim=True) / support.sum(dim=-1, keepdim=True)
        return (grad - average).masked_fill(~support, 0)


def sparsemax(
    scores: Float[Tensor, "*B Lk"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*B Lk"]:
    """Sparsemax: el punto del símplex más cercano a los puntajes. Anula los que quedan lejos.

    Fuente: Martins y Astudillo (2016), algoritmo 1 y ec. 14 (la derivada).
    """
    return _apply_visible(SparsemaxFunction.apply, scores, mask, reach=1.0)


class EntmaxFunction(torch.autograd.Function):
    """α-entmax por bisección del umbral, con derivada implícita."""

    @staticmethod
    def forward(ctx, scores, alpha):
        """La suma de los pesos baja al subir el umbral: se busca dónde vale 1."""
        scaled = (alpha - 1) * scores
        top = scaled.amax(dim=-1, keepdim=True)
        low, high = top - 1, top - scores.shape[-1] ** (1 - alpha)
        for _ in range(BISECTIONS):
            threshold = (low + high) / 2
            total = positive_power(scaled - threshold, 1 / (alpha - 1)).sum(dim=-1, keepdim=True)
            low = torch.where(total >= 1, threshold, low)
            high = torch.where(total >= 1, high, threshold)
        weights = positive_power(scaled - low, 1 / (alpha - 1))
        weights = weights / weights.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(weights)
        ctx.alpha = alpha
        return weights

    @staticmethod
    def backward(ctx, grad):
        """Como en sparsemax, con p elevado a 2 − α en lugar de unos."""
        (weights,) = ctx.saved_tensors
        slope = torch.where(weights > 0, weights, 1).pow(2 - ctx.alpha).masked_fill(weights == 0, 0)
        average = (slope * grad).sum(dim=-1, keepdim=True) / slope.sum(dim=-1, keepdim=True)
        return slope * (grad - average), None


def entmax(
    scores: Float[Tensor, "*B Lk"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    alpha: float = 1.5,
) -> Float[Tensor, "*B Lk"]:
    """α-entmax: softmax con α = 1, sparsemax con α = 2 y, en medio, ceros con caída suave.

    p_i = [(α − 1) z_i − τ]₊^{1/(α − 1)}, con el umbral τ que hace que sumen 1.
    Fuente: Peters, Niculae y Martins (2019), § 3 y apéndice C. Errores: `ValueError` si α < 1.
    """
    if alpha < 1:
        raise ValueError(f"alpha={alpha}: α-entmax se define desde 1 (softmax); usa p. ej. 1.5")
    if alpha == 1:
        return masked_softmax(scores, mask)
    reach = 1 / (alpha - 1)  # el umbral cumple τ ≥ (α − 1) máx z − 1
    return _apply_visible(lambda z: EntmaxFunction.apply(z, alpha), scores, mask, reach)


def sigmoid_weights(
    scores: Float[Tensor, "*B Lk"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*B Lk"]:
    """Sigmoide: cada peso se decide por separado, entre 0 y 1; su suma **no** tiene que ser 1."""
    weights = torch.sigmoid(scores)
    if mask is None:
        return weights
    check_mask(mask)
    return weights.masked_fill(~mask, 0.0)


def deattention(
    affinity: Float[Tensor, "*B Lq Lk"],
    dissimilarity: Float[Tensor, "*B Lq Lk"],
    mask: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*B Lq Lk"]:
    """Des-atención (CoDA): tanh(E) ⊙ 2σ(N). Un peso puede sumar, restar o anular.

    E es la afinidad y N ≤ 0, menos la distancia. Como σ(N) ≤ ½ cuando N ≤ 0, se multiplica por 2
    para que el segundo factor recorra (0, 1].
    Fuente: Tay, Luu, Zhang, Wang y Hui (2019), § 3. Errores: `ValueError` si hay algún N > 0.
    """
    if bool((dissimilarity > 0).any()):
        raise ValueError(
            f"la disimilitud llega a {float(dissimilarity.max()):.3g} y debe ser 0 o negativa: "
            "pásala como menos una distancia"
        )
    weights = torch.tanh(affinity) * 2 * torch.sigmoid(dissimilarity)
    if mask is None:
        return weights
    check_mask(mask)
    return weights.masked_fill(~mask, 0.0)


def positive_power(x: Tensor, exponent: float) -> Tensor:
    """[x]₊ elevado a un exponente positivo."""
    return x.clamp(min=0).pow(exponent)


def _apply_visible(distribution, scores: Tensor, mask: Tensor | None, reach: float) -> Tensor:
    """Aplica una distribución que anula los puntajes a más de `reach` del mayor.

    Lo que no se puede ver se pone más lejos que eso; con −∞ aparecería ∞ − ∞.
    """
    if mask is None:
        return distribution(scores)
    check_mask(mask)
    top = scores.detach().masked_fill(~mask, -math.inf).amax(dim=-1, keepdim=True)
    far = torch.nan_to_num(top, neginf=0.0) - 1.5 * reach
    return distribution(torch.where(mask, scores, far)).masked_fill(~mask, 0.0)
