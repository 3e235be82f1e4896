"""Mirar y escribir con caché: la atención y los dos bloques."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import FILLS, drawn_weights, inside, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.whisper import sums
from tfcourse.projects.steps.whisper.hearing import CLOSE
from tfcourse.projects.steps.whisper.shapes import attention_shapes, block_shapes

LATE = 2  # cuántos vectores, los últimos o los primeros, se dan aparte


def _attend(sizes: dict, weights: dict, x: Tensor, source: Tensor, flaw: str = "") -> dict:
    n_heads = sizes["n_heads"]
    seen, own = (sums.prepare(y, weights, n_heads, flaw) for y in (source, x))

    def mix(x: Tensor, what: tuple, causal: bool) -> Tensor:
        return sums.attention(x, what, weights, causal, flaw)

    return {
        "claves": seen[0], "valores": seen[1],
        "pesos": sums.weights(x, seen[0], weights, False, flaw), "salida": mix(x, seen, False),
        "pesos causales": sums.weights(x, own[0], weights, True, flaw),
        "salida causal": mix(x, own, True),
        "salida causal de las dos últimas": mix(x[:, -LATE:], own, True),
    }  # fmt: skip


def _attention_case(lengths: tuple[int, int], d_model: int, n_heads: int, seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(attention_shapes(d_model), seed)
        shapes = [(2, length, d_model) for length in lengths]
        sizes = {"d_model": d_model, "n_heads": n_heads}
        return sizes, weights, *random_tensors(*shapes, seed=seed + 1)

    return make


def _low_case(lengths: tuple[int, int], d_model: int, n_heads: int, seed: int) -> Callable:
    """Las puntuaciones rondan −130: si lo tapado no vale −∞, es lo que más pesa.

    En cada cabeza, la primera componente de las consultas vale 1, y la de las claves es
    siempre la misma: de un 1 que llevan todos los vectores.
    """

    def make() -> tuple:
        sizes, weights, *inputs = _attention_case(lengths, d_model, n_heads, seed)()
        size = d_model // n_heads
        weights["q_proj.weight"][::size] = weights["k_proj.weight"][::size] = 0.0
        weights["q_proj.bias"][::size] = 1.0
        weights["k_proj.weight"][::size, 0] = -130.0 * size**0.5
        for x in inputs:
            x[..., 0] = 1.0
        return sizes, weights, *inputs

    return make


ATTENTION = Step(
    Card(
        "wh-atencion", "La atención que se prepara", "codigo", 2, 35, 4,
        "separar lo que se mira de quien mira, para poder guardarlo",
        (
            "`y.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "Con `causal`, la consulta i es la posición `i + Lk − Lq` de las claves: se tapa lo "
            "que va detrás, `torch.ones(Lq, Lk).triu(Lk − Lq + 1)`.",
            "`forward` es tres renglones: los pesos por los valores, los ejes de vuelta y "
            "`out_proj`.",
        ),
    ),
    Task(
        "Attention",
        (
            Case("4 vectores miran a 6", _attention_case((4, 6), 8, 2, seed=750)),
            Case("3 cabezas", _attention_case((5, 3), 12, 3, seed=754)),
            Case("puntuaciones de −130: lo tapado pesa 0", _low_case((4, 5), 8, 2, seed=758)),
        ),
        lambda sizes, weights, x, source: _attend(sizes, weights, x, source),
        (
            Mistake("cambiadas", "`prepare` da primero las claves y después los valores",
                    with_flaw(_attend, "cambiadas")),
            Mistake("escala", "las puntuaciones se dividen entre √Dh, con Dh lo que mide una "
                    "cabeza", with_flaw(_attend, "sin-escala", "escala-modelo")),
            Mistake("softmax-eje", "el softmax reparte entre las claves, el último eje",
                    with_flaw(_attend, "eje")),
            Mistake("ve-el-futuro", "con `causal=True` se ve el futuro: tapa lo que va detrás de "
                    "cada consulta con −∞, antes del softmax",
                    with_flaw(_attend, "ve-el-futuro", "tapa-despues")),
            Mistake("tapado-con-un-numero", "tapas con un número, y si las demás puntuaciones son "
                    "aún más bajas, lo tapado pesa: pon −∞",
                    with_flaw(_attend, *FILLS)),
            Mistake("siempre-causal", "sin `causal` se mira todo: la máscara solo va cuando se "
                    "pide", with_flaw(_attend, "siempre-causal")),
            Mistake("desde-el-principio", "si hay más claves que consultas, las consultas son las "
                    "últimas posiciones, y tú las cuentas desde la primera",
                    with_flaw(_attend, "desde-el-principio")),
            Mistake("reparto", "repartes mal las cabezas: parte el último eje y después "
                    "intercambia", with_flaw(_attend, "reparto")),
            Mistake("junta-mal", "al juntar las cabezas mezclas posiciones: intercambia los ejes "
                    "antes de aplanar", with_flaw(_attend, "junta-mal")),
            Mistake("sin-salida", "falta `out_proj` al final", with_flaw(_attend, "sin-salida")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="atencion-preparada",
)  # fmt: skip


def _listen(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return sums.listen(x, weights, sizes["n_heads"], flaw)


def _block_sizes(d_model: int, n_heads: int, d_hidden: int) -> dict[str, int]:
    return {"d_model": d_model, "n_heads": n_heads, "d_hidden": d_hidden}


def _encoder_case(length: int, sizes: dict, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(block_shapes(sizes["d_model"], sizes["d_hidden"]), seed)
        (x,) = random_tensors((2, length, sizes["d_model"]), seed=seed + 1)
        return sizes, weights, factor * x

    return make


ENCODER = Step(
    Card(
        "wh-oyente", "El bloque que oye", "codigo", 1, 20, 2,
        "ensamblar normas, atención, red y residuos",
        (
            "Lo que se mira sale del vector ya normalizado: `self.attention.prepare(y)`.",
            "Dos renglones, `x = x + subcapa(norma(x))`, con la atención y con la red: `hidden`, "
            "`F.gelu` y `output`.",
        ),
    ),
    Task(
        "EncoderBlock",
        (
            Case("2 sonidos de 5 vectores", _encoder_case(5, _block_sizes(8, 2, 12), seed=760)),
            Case("vectores pequeños: ε se nota",
                    _encoder_case(4, _block_sizes(12, 3, 6), seed=764, factor=3e-3)),
        ),
        lambda sizes, weights, x: _listen(sizes, weights, x),
        (
            Mistake("norma-detras", "normalizas después de sumar: la norma va delante de cada "
                    "subcapa", with_flaw(_listen, "detras")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_listen, "sin-residuo")),
            Mistake("residuo-normado", "sumas al vector normalizado: el residuo es `x`, tal como "
                    "entró", with_flaw(_listen, "residuo-normado")),
            Mistake("claves-sin-norma", "las claves y los valores también salen del vector "
                    "normalizado", with_flaw(_listen, "claves-sin-norma")),
            Mistake("causal", "al oír se mira todo, también lo que suena después",
                    with_flaw(_listen, "causal")),
            Mistake("activacion", "entre las dos capas de la red va una GELU, la exacta",
                    with_flaw(_listen, "relu", "tanh")),
            Mistake("una-norma", "la red lleva su propia norma, `norm2`",
                    with_flaw(_listen, "una-norma")),
            Mistake("epsilon", "la ε de estas normas es la de PyTorch: `nn.LayerNorm(d_model)`",
                    with_flaw(_listen, "epsilon")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa-con-norma", needs=(ATTENTION,),
)  # fmt: skip


def _write(sizes: dict, weights: dict, x: Tensor, memory: Tensor, flaw: str = "") -> dict:
    n_heads = sizes["n_heads"]
    heard = sums.prepare(memory, inside(weights, "cross_attention"), n_heads)
    whole, kept = sums.write(x, heard, None, weights, n_heads, flaw)
    begun, past = sums.write(x[:, :LATE], heard, None, weights, n_heads, flaw)
    first, later = past, []
    for place in range(LATE, x.shape[1]):
        row, past = sums.write(x[:, place : place + 1], heard, past, weights, n_heads, flaw)
        later.append(row)
    together, _ = sums.write(x[:, LATE:], heard, first, weights, n_heads, flaw)
    return {
        "de una vez": whole, "claves guardadas": kept[0], "valores guardados": kept[1],
        "los dos primeros": begun,
        "los demás, de uno en uno": torch.cat(later, 1), "los demás, juntos": together,
        "claves guardadas al final": past[0], "valores guardados al final": past[1],
    }  # fmt: skip


def _decoder_case(
    lengths: tuple[int, int], sizes: dict, seed: int, factor: float = 1.0
) -> Callable:
    def make() -> tuple:
        shapes = block_shapes(sizes["d_model"], sizes["d_hidden"], writes=True)
        inputs = [(2, length, sizes["d_model"]) for length in lengths]
        x, memory = random_tensors(*inputs, seed=seed + 1)
        return sizes, drawn_weights(shapes, seed), factor * x, memory

    return make


DECODER = Step(
    Card(
        "wh-escritor", "El bloque que escribe", "codigo", 3, 35, 4,
        "mirar lo escrito y lo oído sin repetir cuentas",
        (
            "De lo nuevo se preparan claves y valores; si hay `past`, van detrás de los de antes: "
            "`torch.cat([antes, nuevas], dim=2)`.",
            "La autoatención es causal siempre: con la caché, las consultas son las últimas "
            "posiciones, y tu `Attention` ya lo sabe.",
            "Lo que se devuelve para guardar son las claves y los valores de **todo** lo escrito.",
        ),
    ),
    Task(
        "DecoderBlock",
        (
            Case("4 vectores y un sonido de 6",
                    _decoder_case((4, 6), _block_sizes(8, 2, 12), seed=770)),
            Case("otros tamaños", _decoder_case((5, 3), _block_sizes(12, 3, 6), seed=776)),
            Case("vectores pequeños: ε se nota",
                    _decoder_case((4, 3), _block_sizes(8, 2, 6), seed=778, factor=3e-3)),
        ),
        lambda sizes, weights, x, memory: _write(sizes, weights, x, memory),
        (
            Mistake("orden", "primero se mira lo escrito, después el sonido y al final va la red",
                    with_flaw(_write, "orden")),
            Mistake("ve-el-futuro", "al mirar lo escrito se ve el futuro: ahí la atención va con "
                    "`causal=True`", with_flaw(_write, "ve-el-futuro")),
            Mistake("futuro-con-cache", "con `past` también puede llegar más de un vector nuevo, y "
                    "ninguno ve a los que van detrás: ahí la atención va siempre con "
                    "`causal=True`", with_flaw(_write, "futuro-con-cache")),
            Mistake("cruzada-causal", "al mirar el sonido no hay máscara: se oye entero",
                    with_flaw(_write, "cruzada-causal")),
            Mistake("olvida", "no usas `past`: lo nuevo mira también lo que ya estaba escrito",
                    with_flaw(_write, "olvida")),
            Mistake("solo-lo-nuevo", "guardas solo lo nuevo: devuelve las claves y los valores de "
                    "todo lo escrito", with_flaw(_write, "solo-lo-nuevo")),
            Mistake("detras-lo-viejo", "al unir, lo de antes va delante, y lo nuevo, detrás",
                    with_flaw(_write, "detras-lo-viejo")),
            Mistake("normas", "cada subcapa lee lo que da su norma: `norm1` lo escrito, `norm2` "
                    "antes de mirar el sonido y `norm3` antes de la red",
                    with_flaw(_write, "cruzada-sin-norma", "una-norma")),
            Mistake("epsilon", "la ε de estas normas es la de PyTorch: `nn.LayerNorm(d_model)`",
                    with_flaw(_write, "epsilon")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_write, "sin-residuo")),
            Mistake("activacion", "entre las dos capas de la red va una GELU, la exacta",
                    with_flaw(_write, "relu", "tanh")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="bloque-que-escribe", needs=(ATTENTION,),
)  # fmt: skip
