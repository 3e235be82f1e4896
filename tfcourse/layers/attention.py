"""Atención: de los puntajes a los pesos, y de los pesos a una mezcla de valores."""

import math
from collections.abc import Callable

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.masks import check_mask


def masked_softmax(
    scores: Float[Tensor, "... Lk"], mask: Bool[Tensor, "... Lk"] | None = None
) -> Float[Tensor, "... Lk"]:
    """Softmax con máscara: convierte puntajes en pesos que suman 1 sobre las claves visibles.

    Una fila que no puede mirar a nadie recibe ceros: ni NaN ni una mirada uniforme al relleno.
    """
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def attention_weights(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*B Lq Lk"]:
    """Pesos de la atención por producto escalar escalado: softmax(QKᵀ/√d_k + sesgo).

    Fuente: Vaswani et al. (2017), ec. 1. `mask` es booleana (True = «puede mirar») y `bias` se
    suma a los puntajes.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if bias is not None:
        scores = scores + bias
    return masked_softmax(scores, mask)


def attention(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    v: Float[Tensor, "*B Lk Dv"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención: cada consulta recibe la media de los valores, ponderada por sus pesos.

    Es la fórmula, para leerla; `fused_attention` calcula lo mismo con menos memoria.
    Fuente: Vaswani et al. (2017), ec. 1. Errores: `ValueError` si las formas no encajan.
    """
    check_attention_shapes(q, k, v, mask)
    return attention_weights(q, k, mask=mask, bias=bias) @ v


def fused_attention(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    v: Float[Tensor, "*B Lk Dv"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    bias: Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención fusionada: igual que `attention`, con el núcleo optimizado de PyTorch.

    No guarda la matriz de pesos: sin máscara ni sesgo, la memoria es lineal en la longitud.
    """
    check_attention_shapes(q, k, v, mask)
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    # El núcleo puede devolver NaN en una fila sin claves visibles: se le deja mirar y se anula.
    sees_something = mask.any(dim=-1, keepdim=True)
    visible = mask | ~sees_something
    if bias is not None:
        visible = bias.to(q.dtype).masked_fill(~visible, -math.inf)
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
    return mixed.masked_fill(~sees_something, 0.0)


def check_attention_shapes(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> None:
    """Comprueba que consultas, claves, valores y máscara encajan entre sí.

    Errores: `ValueError` con las formas que llegaron; `TypeError` si la máscara no es booleana.
    """
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ValueError(
            f"q, k y v necesitan al menos dos ejes (longitud, dimensión) y llegaron con "
            f"{tuple(q.shape)}, {tuple(k.shape)} y {tuple(v.shape)}"
        )
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"la consulta mide {q.shape[-1]} y la clave {k.shape[-1]}: para multiplicarlas deben "
            "medir lo mismo; proyecta una de las dos con una capa lineal"
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"hay {k.shape[-2]} claves y {v.shape[-2]} valores: cada clave necesita su valor"
        )
    if k.shape[-2] == 0:
        raise ValueError("la secuencia está vacía: no hay ninguna clave a la que mirar")
    if mask is not None:
        check_mask(mask)
        _check_mask_shape(mask, (*q.shape[:-1], k.shape[-2]))


def _check_mask_shape(mask: Tensor, scores_shape: tuple[int, ...]) -> None:
    sizes = zip(reversed(mask.shape), reversed(scores_shape), strict=False)
    if mask.ndim > len(scores_shape) or not all(size in (1, whole) for size, whole in sizes):
        raise ValueError(
            f"la máscara tiene forma {tuple(mask.shape)} y no se puede extender a la de los "
            f"puntajes, {scores_shape}: constrúyela con tfcourse.layers.masks"
        )


class MultiHeadAttention(nn.Module):
    """Atención multicabeza: varias atenciones en paralelo sobre proyecciones distintas.

    Recibe q, k y v por separado, de forma `(B, L, d_model)`, y devuelve `(B, Lq, d_model)`.
    `kernel` es la función de atención que se usa dentro: cualquiera con la firma de `attention`.
    Fuente: Vaswani et al. (2017), § 3.2.2. Errores: `ValueError` si `d_model` no es divisible
    entre `n_heads`.
    """

    def __init__(self, d_model: int, n_heads: int, kernel: Callable[..., Tensor] = fused_attention):
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(
                f"d_model={d_model} no es divisible entre n_heads={n_heads}: usa un múltiplo, "
                f"p. ej. d_model={max(1, round(d_model / max(1, n_heads))) * max(1, n_heads)}"
            )
        self.n_heads = n_heads
        self.kernel = kernel
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(
        self,
        q: Float[Tensor, "B Lq D"],
        k: Float[Tensor, "B Lk D"],
        v: Float[Tensor, "B Lk D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Atiende desde `q` hacia `k` y `v` con todas las cabezas a la vez."""
        mixed = self.kernel(*self.heads(q, k, v), mask=mask, bias=bias)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def attention_maps(
        self,
        q: Float[Tensor, "B Lq D"],
        k: Float[Tensor, "B Lk D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B H Lq Lk"]:
        """Pesos de cada cabeza, calculados a petición: el módulo no los guarda."""
        q_heads, k_heads, _ = self.heads(q, k, k)
        return attention_weights(q_heads, k_heads, mask=mask, bias=bias)

    def heads(
        self, q: Float[Tensor, "B Lq D"], k: Float[Tensor, "B Lk D"], v: Float[Tensor, "B Lk D"]
    ) -> tuple[Float[Tensor, "B H Lq Dh"], Float[Tensor, "B H Lk Dh"], Float[Tensor, "B H Lk Dh"]]:
        """Consultas, claves y valores de cada cabeza: lo que recibe el núcleo."""
        return self.split(self.q_proj(q)), self.split(self.k_proj(k)), self.split(self.v_proj(v))

    def split(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B H L Dh"]:
        """Reparte la última dimensión entre las cabezas."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
