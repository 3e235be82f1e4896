"""Softmax en línea y atención por teselas: la ida y la vuelta de FlashAttention, en PyTorch."""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.attention import check_attention_shapes
from tfcourse.layers.kernels.windows import check_positive

State = tuple[Tensor, Tensor, Tensor]  # máximo, denominador y mezcla sin dividir


def online_step(
    state: State, scores: Float[Tensor, "*B Lq K"], values: Float[Tensor, "*B K Dv"]
) -> State:
    """Un paso del softmax en línea: añade unas claves a lo que ya se había leído.

    El estado son el mayor puntaje visto, `(..., Lq)`, la suma de exponenciales relativas a él,
    `(..., Lq)`, y la mezcla sin dividir, `(..., Lq, Dv)`. Si aparece un puntaje mayor, lo acumulado
    se reescala. Fuente: Milakov y Gimelshein (2018), algoritmo 3; Dao et al. (2022), algoritmo 1.
    """
    top, total, mixed = state
    new_top = torch.maximum(top, scores.amax(dim=-1))
    anchor = new_top.masked_fill(new_top == -math.inf, 0.0)  # quien aún no ha visto a nadie
    shrink = (top - anchor).exp()
    weights = (scores - anchor[..., None]).exp()
    total = total * shrink + weights.sum(dim=-1)
    return new_top, total, mixed * shrink[..., None] + weights @ values


def tiles_to_visit(
    n_queries: int, n_keys: int, tile: int, causal: bool
) -> Iterator[tuple[slice, slice]]:
    """Las teselas que hay que calcular: con `causal`, ninguna que caiga entera en el futuro.

    Las consultas son las últimas posiciones de las claves.
    """
    ahead = n_keys - n_queries
    for row in range(0, n_queries, tile):
        rows = slice(row, min(row + tile, n_queries))
        last = rows.stop + ahead if causal else n_keys
        for column in range(0, last, tile):
            yield rows, slice(column, min(column + tile, n_keys))


def tiled_attention(
    q: Float[Tensor, "*B Lq Dk"],
    k: Float[Tensor, "*B Lk Dk"],
    v: Float[Tensor, "*B Lk Dv"],
    *,
    mask: Bool[Tensor, "..."] | None = None,
    causal: bool = False,
    tile: int = 64,
) -> Float[Tensor, "*B Lq Dv"]:
    """Atención exacta por teselas de `tile` × `tile`, en la ida y en la vuelta.

    Para la vuelta se guardan q, k, v, la salida y un número por consulta; los pesos se rehacen.
    Se acumula en 32 bits, como poco. Una fila que no ve a nadie entrega ceros. Fuente: Dao et al.
    (2022), algoritmos 1 y 4. Errores: `ValueError` si `tile` no es positivo, si las formas no
    encajan o si con `causal` hay menos claves que consultas.
    """
    check_attention_shapes(q, k, v, mask)
    check_positive("tile", tile)
    if causal and k.shape[-2] < q.shape[-2]:
        raise ValueError(
            f"hay {q.shape[-2]} consultas y {k.shape[-2]} claves: con causal=True las consultas "
            "son las últimas posiciones, así que hace falta al menos una clave por consulta"
        )
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])
    return _Tiled.apply(q, k, v, mask, causal, tile)


def _scores(q, k, mask, causal, rows, columns):
    """Puntajes de una tesela, con −∞ donde no se puede mirar."""
    scores = q[..., rows, :] @ k[..., columns, :].mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask[..., rows, columns], -math.inf)
    ahead = k.shape[-2] - q.shape[-2]
    if causal and columns.stop - 1 > rows.start + ahead:  # solo las de la diagonal se tapan
        i = torch.arange(rows.start, rows.stop, device=q.device)[:, None] + ahead
        j = torch.arange(columns.start, columns.stop, device=q.device)
        scores = scores.masked_fill(j > i, -math.inf)
    return scores


class _Tiled(torch.autograd.Function):
    """Ida y vuelta sin que exista nunca la matriz de pesos."""

    @staticmethod
    def forward(ctx, q, k, v, mask, causal, tile):
        wide = torch.promote_types(q.dtype, torch.float32)
        keys, values = k.to(wide), v.to(wide)
        top = q.new_full(q.shape[:-1], -math.inf, dtype=wide)
        total, mixed = torch.zeros_like(top), q.new_zeros(*q.shape[:-1], v.shape[-1], dtype=wide)
        for rows, columns in tiles_to_visit(q.shape[-2], k.shape[-2], tile, causal):
            state = top[..., rows], total[..., rows], mixed[..., rows, :]
            scores = _scores(q.to(wide), keys, mask, causal, rows, columns)
            state = online_step(state, scores, values[..., columns, :])
            top[..., rows], total[..., rows], mixed[..., rows, :] = state
        mixed /= total.masked_fill(total == 0, 1.0)[..., None]
        log_sum = top + total.log()  # −∞ en la fila que no ve a nadie
        ctx.save_for_backward(q, k, v, mixed.to(q.dtype), log_sum, mask)
        ctx.causal, ctx.tile = causal, tile
        return mixed.to(q.dtype)

    @staticmethod
    def backward(ctx, d_out):
        q, k, v, mixed, log_sum, mask = ctx.saved_tensors
        wide, scale = log_sum.dtype, 1 / math.sqrt(q.shape[-1])
        queries, keys, values, d_out = (x.to(wide) for x in (q, k, v, d_out))
        d_q, d_k, d_v = (torch.zeros_like(x) for x in (queries, keys, values))
        anchor = log_sum.masked_fill(log_sum == -math.inf, 0.0)[..., None]
        along = (d_out * mixed.to(wide)).sum(-1, keepdim=True)  # Σ pⱼ dpⱼ, sin los pesos
        for rows, columns in tiles_to_visit(q.shape[-2], k.shape[-2], ctx.tile, ctx.causal):
            scores = _scores(queries, keys, mask, ctx.causal, rows, columns)
            weights = (scores - anchor[..., rows, :]).exp()  # rehechos
            d_rows = d_out[..., rows, :]
            d_v[..., columns, :] += weights.mT @ d_rows
            d_scores = weights * (d_rows @ values[..., columns, :].mT - along[..., rows, :])
            d_q[..., rows, :] += scale * d_scores @ keys[..., columns, :]
            d_k[..., columns, :] += scale * d_scores.mT @ queries[..., rows, :]
        return d_q.to(q.dtype), d_k.to(k.dtype), d_v.to(v.dtype), None, None, None
