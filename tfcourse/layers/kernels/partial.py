"""Atención por partes: mirar un trozo de las claves cada vez y juntar los resultados sin error.

Un softmax sobre la unión de dos conjuntos disjuntos se recupera de los dos por separado si cada uno
entrega, además de su mezcla, el logaritmo de su denominador.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.attention import check_attention_shapes, masked_softmax

Part = tuple[Tensor, Tensor]  # una mezcla, (..., L, Dv), y el logaritmo de su denominador, (..., L)


def partial_attention(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    v: Float[Tensor, "*B Lk Dv"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "*B Lq Dv"], Float[Tensor, "*B Lq"]]:
    """Atención a una parte de las claves: su mezcla y el logaritmo de su denominador.

    Una fila que no ve a nadie entrega ceros y −∞: no pesará nada al juntar.
    """
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    log_sums = scores.logsumexp(dim=-1)
    # En una fila que no ve a nadie, −∞ − 0 da el cero que se quiere; −∞ − (−∞) daría NaN.
    weights = (scores - log_sums.masked_fill(log_sums == -math.inf, 0.0)[..., None]).exp()
    return weights @ v, log_sums


def merge_parts(*parts: Part) -> Part:
    """Junta atenciones a conjuntos disjuntos de claves: cada una pesa lo que su denominador.

    Fuente: es la cuenta de Milakov y Gimelshein (2018), que usa FlashAttention.
    """
    mixed, log_sums = zip(*parts, strict=True)
    logs = torch.stack(log_sums, dim=-1)
    shares = masked_softmax(logs, logs > -math.inf)
    total = sum(m * share[..., None] for m, share in zip(mixed, shares.unbind(-1), strict=True))
    return total, logs.logsumexp(dim=-1)


def blockwise_attention(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    v: Float[Tensor, "*B Lk Dv"],
    block: int = 128,
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención exacta por bloques de claves: nunca existe la matriz de pesos entera.

    Es la ida de FlashAttention, sin lo que la hace rápida: un solo núcleo que no sale de la memoria
    más veloz. Fuentes: Rabe y Staats (2021); Dao et al. (2022), algoritmo 1.
    Errores: `ValueError` si `block` no es positivo o las formas no encajan.
    """
    check_attention_shapes(q, k, v)
    if block < 1:
        raise ValueError(f"block={block}: cada bloque necesita al menos una clave")
    running = None
    for keys, values in zip(k.split(block, dim=-2), v.split(block, dim=-2), strict=True):
        part = partial_attention(q, keys, values)
        running = part if running is None else merge_parts(running, part)
    return running[0]


def key_mask(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None = None
) -> Bool[Tensor, "#B #H Lk"] | None:
    """Qué claves existen, a partir de una máscara de relleno `(B, 1, 1, Lk)`.

    Un núcleo que no construye los puntajes de todas las parejas no puede tapar parejas sueltas.
    Errores: `ValueError` si llega un sesgo, o una máscara que distingue consultas.
    """
    check_attention_shapes(q, k, v, mask)
    if bias is not None:
        raise ValueError(
            "este núcleo no construye los puntajes de todas las parejas, así que no admite bias=: "
            "usa fused_attention"
        )
    if mask is None:
        return None
    if mask.ndim != 4 or mask.shape[2] != 1:
        raise ValueError(
            f"este núcleo solo admite máscaras de relleno, (B, 1, 1, Lk), y llegó una de forma "
            f"{tuple(mask.shape)}: si es causal, crea el núcleo con causal=True"
        )
    return mask[:, :, 0].expand(-1, -1, k.shape[-2])


def check_self_attention(q: Tensor, k: Tensor) -> None:
    """Comprueba que hay una clave por consulta: la secuencia se mira a sí misma.

    Errores: `ValueError` si no la hay.
    """
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"hay {q.shape[-2]} consultas y {k.shape[-2]} claves: este núcleo es de autoatención y "
            "necesita que coincidan; para la atención cruzada usa fused_attention"
        )
