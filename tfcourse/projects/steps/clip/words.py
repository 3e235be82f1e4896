"""La torre de texto: atención con relleno, bloque y torre entera."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.clip import sums
from tfcourse.projects.steps.clip.shapes import (
    attention_shapes,
    block_shapes,
    drawn,
    text_shapes,
)
from tfcourse.projects.steps.drawing import FILLS, drawn_tokens, with_flaw
from tfcourse.projects.steps.piece import Step

CLOSE = 1e-4


def drawn_lengths(batch: int, length: int, seed: int) -> Tensor:
    """Longitudes distintas y al azar: una llena su fila, y otra es de un solo token."""
    found = [length, 1] + [1 + n % length for n in range(1, batch - 1)]
    chance(seed).shuffle(found)
    return torch.tensor(found[:batch] if batch > 2 else [length, length - 1][:batch])


def drawn_texts(batch: int, length: int, n_tokens: int, seed: int) -> tuple[Tensor, Tensor]:
    """Textos con relleno detrás, el token 0, y sus longitudes."""
    lengths = drawn_lengths(batch, length, seed)
    tokens = 1 + drawn_tokens(batch, length, n_tokens=n_tokens - 1, seed=seed + 1)
    return tokens * (torch.arange(length) < lengths[:, None]), lengths


def _attend(sizes: dict, weights: dict, x: Tensor, mask: Tensor, flaw: str = "") -> Tensor:
    return sums.attention(x, mask, weights, sizes["n_heads"], flaw)


def _mask(batch: int, length: int, seed: int) -> Tensor:
    return torch.arange(length) < drawn_lengths(batch, length, seed)[:, None]


def _attention_case(batch: int, length: int, d_model: int, n_heads: int, seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn(attention_shapes(d_model), seed)
        (x,) = random_tensors((batch, length, d_model), seed=seed + 1)
        sizes = {"d_model": d_model, "n_heads": n_heads}
        return sizes, weights, x, _mask(batch, length, seed + 2)

    return make


def _low_case(batch: int, length: int, d_model: int, n_heads: int, seed: int) -> Callable:
    """Las puntuaciones rondan −130: si el relleno no vale −∞, es lo que más pesa.

    La primera componente de cada cabeza vale siempre 1 en las consultas, y lo mismo en las claves.
    """

    def make() -> tuple:
        sizes, weights, x, mask = _attention_case(batch, length, d_model, n_heads, seed)()
        size = d_model // n_heads
        weights["q_proj.weight"][::size] = weights["k_proj.weight"][::size] = 0.0
        weights["q_proj.bias"][::size] = 1.0
        weights["k_proj.bias"][::size] = -130.0 * size**0.5
        return sizes, weights, x, mask

    return make


ATTENTION = Step(
    Card(
        "clip-atencion", "La atención, sin mirar el relleno", "codigo", 2, 25, 3,
        "mezclar solo los tokens de verdad",
        (
            "`y.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "La máscara dice qué **claves** se pueden mirar: con `mask[:, None, None]` mide (B, 1, "
            "1, L) y vale para todas las cabezas y consultas.",
            "`scores.masked_fill(~…, -torch.inf)` va antes del softmax: así el relleno pesa 0 y lo "
            "demás sigue sumando 1.",
        ),
    ),
    Task(
        "SelfAttention",
        (
            Case("3 textos de hasta 5 tokens", _attention_case(3, 5, 8, 2, seed=1130)),
            Case("3 cabezas", _attention_case(4, 6, 12, 3, seed=1134)),
            Case("2 textos, casi sin relleno", _attention_case(2, 4, 8, 4, seed=1138)),
            Case("puntuaciones de −130: el relleno pesa 0", _low_case(3, 4, 8, 2, seed=1141)),
        ),
        lambda sizes, weights, x, mask: _attend(sizes, weights, x, mask),
        (
            Mistake("sin-mascara", "miras también el relleno: sus puntuaciones han de ser −∞",
                    with_flaw(_attend, "sin-mascara")),
            Mistake("despues", "quitas el relleno después del softmax, y los pesos que quedan ya "
                    "no suman 1: pon −∞ antes", with_flaw(_attend, "despues")),
            Mistake("a-cero", "pones a 0 las puntuaciones del relleno, y un 0 también pesa: pon −∞",
                    with_flaw(_attend, "a-cero")),
            Mistake("tapado-con-un-numero", "tapas con un número, y si las demás puntuaciones son "
                    "aún más bajas, lo tapado pesa: pon −∞",
                    with_flaw(_attend, *FILLS)),
            Mistake("al-reves", "usas la máscara al revés: `True` es un token de verdad, que sí se "
                    "puede mirar", with_flaw(_attend, "al-reves")),
            Mistake("escala", "las puntuaciones se dividen entre √Dh, con Dh lo que mide una "
                    "cabeza", with_flaw(_attend, "sin-escala", "escala-modelo")),
            Mistake("reparto", "repartes mal las cabezas: parte el último eje y después "
                    "intercambia", with_flaw(_attend, "reparto")),
            Mistake("junta-mal", "al juntar las cabezas mezclas posiciones: intercambia los ejes "
                    "antes de aplanar", with_flaw(_attend, "junta-mal")),
            Mistake("sin-salida", "falta `out_proj` al final", with_flaw(_attend, "sin-salida")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip


def _block(sizes: dict, weights: dict, x: Tensor, mask: Tensor, flaw: str = "") -> Tensor:
    return sums.block(x, mask, weights, sizes["n_heads"], flaw)


def _block_case(
    batch: int, length: int, numbers: tuple[int, int, int], seed: int, factor: float = 1.0
) -> Callable:
    def make() -> tuple:
        sizes = dict(zip(("d_model", "n_heads", "d_hidden"), numbers, strict=True))
        weights = drawn(block_shapes(sizes["d_model"], sizes["d_hidden"]), seed)
        small = {k: v if k.startswith("norm") else factor * v for k, v in weights.items()}
        (x,) = random_tensors((batch, length, sizes["d_model"]), seed=seed + 1)
        return sizes, small, factor * x, _mask(batch, length, seed + 2)

    return make


BLOCK = Step(
    Card(
        "clip-bloque", "El bloque de la torre de texto", "codigo", 1, 20, 2,
        "ensamblar un bloque con la norma detrás",
        (
            "Dos renglones: `x = norma(x + subcapa(x))`, primero con la atención y después con la "
            "red: `hidden`, `F.gelu` y `output`.",
            "La ε es la de BERT: `nn.LayerNorm(d_model, eps=1e-12)`.",
        ),
    ),
    Task(
        "TextBlock",
        (
            Case("3 textos de hasta 5 tokens", _block_case(3, 5, (8, 2, 12), seed=1140)),
            Case("vectores pequeños: ε se nota",
                    _block_case(3, 4, (12, 3, 6), seed=1144, factor=3e-3)),
        ),
        lambda sizes, weights, x, mask: _block(sizes, weights, x, mask),
        (
            Mistake("norma-delante", "normalizas antes de cada subcapa: en BERT la norma va "
                    "detrás, sobre la suma", with_flaw(_block, "delante")),
            Mistake("residuo-fuera", "la norma es de la **suma**: normalizas lo que da la subcapa "
                    "y sumas después", with_flaw(_block, "residuo-fuera")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_block, "sin-residuo")),
            Mistake("sin-mascara", "la atención no recibe la máscara, y mira el relleno",
                    with_flaw(_block, "sin-mascara")),
            Mistake("activacion", "entre las dos capas de la red va una GELU, la exacta",
                    with_flaw(_block, "relu", "tanh")),
            Mistake("epsilon", "la ε de estas normas es 1e-12: `nn.LayerNorm(d_model, eps=1e-12)`",
                    with_flaw(_block, "epsilon")),
            Mistake("una-norma", "la red lleva su propia norma, `norm2`",
                    with_flaw(_block, "una-norma")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa-con-norma", needs=(ATTENTION,),
)  # fmt: skip


def _read(sizes: dict, weights: dict, tokens: Tensor, lengths: Tensor, flaw: str = "") -> dict:
    return sums.text_tower(tokens, lengths, weights, sizes, flaw)


TEXT_SIZES = ("n_tokens", "max_length", "d_model", "n_heads", "d_hidden", "n_layers")


def _text_case(batch: int, length: int, numbers: tuple[int, ...], seed: int) -> Callable:
    def make() -> tuple:
        sizes = dict(zip(TEXT_SIZES, numbers, strict=True))
        weights = drawn(text_shapes(sizes), seed)
        return sizes, weights, *drawn_texts(batch, length, sizes["n_tokens"], seed + 1)

    return make


def _small_text_case(batch: int, length: int, numbers: tuple[int, ...], seed: int) -> Callable:
    """Vectores pequeños, y un relleno cualquiera: lo que es de verdad lo dice la longitud."""

    def make() -> tuple:
        sizes, weights, _, lengths = _text_case(batch, length, numbers, seed)()
        for name in ("embedding.weight", "positions.weight"):
            weights[name] = 3e-3 * weights[name]
        tokens = 1 + drawn_tokens(batch, length, n_tokens=sizes["n_tokens"] - 1, seed=seed + 5)
        tokens[lengths == length, -1] = 0
        return sizes, weights, tokens, lengths

    return make


TEXT = Step(
    Card(
        "clip-texto", "La torre de texto", "codigo", 2, 30, 3,
        "leer textos de distinta longitud y resumir cada uno en un vector",
        (
            "La máscara sale de las longitudes: `torch.arange(L) < lengths[:, None]`, con el "
            "dispositivo de los tokens.",
            "`states` normaliza la suma del vector del token y del de su lugar, y pasa por los "
            "bloques con la máscara.",
            "Para la media, pon a 0 los vectores del relleno, suma los demás y divide entre la "
            "longitud de cada texto.",
        ),
    ),
    Task(
        "TextTower",
        (
            Case("4 textos y 2 bloques", _text_case(4, 5, (11, 7, 8, 2, 12, 2), seed=1150)),
            Case("3 cabezas, y textos tan largos como caben",
                    _text_case(3, 4, (9, 4, 12, 3, 6, 1), seed=1156)),
            Case("vectores pequeños y un relleno cualquiera",
                    _small_text_case(3, 4, (9, 6, 8, 2, 6, 1), seed=1160)),
        ),
        lambda sizes, weights, tokens, lengths: _read(sizes, weights, tokens, lengths),
        (
            Mistake("sin-posiciones", "no sumas el vector de cada lugar: los textos que solo "
                    "cambian el orden serían iguales", with_flaw(_read, "sin-posiciones")),
            Mistake("posiciones-corridas", "la primera fila de `positions` es la del primer token, "
                    "y empiezas por la segunda", with_flaw(_read, "posiciones-corridas")),
            Mistake("escala", "los vectores de los tokens no se multiplican por √D: BERT no lo "
                    "hace", with_flaw(_read, "escala")),
            Mistake("donde-va-la-norma", "`norm` va delante de los bloques, sobre la suma de token "
                    "y lugar, y solo ahí", with_flaw(_read, "sin-norma", "norma-al-final")),
            Mistake("del-token", "cuántos tokens son de verdad lo dice `lengths`: el token 0 "
                    "también puede serlo, y el relleno, ser cualquiera",
                    with_flaw(_read, "del-token")),
            Mistake("epsilon", "la ε de `norm` es 1e-12: `nn.LayerNorm(d_model, eps=1e-12)`",
                    with_flaw(_read, "epsilon")),
            Mistake("sin-mascara", "los bloques miran el relleno: dales la máscara",
                    with_flaw(_read, "sin-mascara")),
            Mistake("media-con-relleno", "en la media entra el relleno: suma solo los tokens de "
                    "verdad y divide entre cuántos son",
                    with_flaw(_read, "media-con-relleno", "entre-todos")),
            Mistake("un-solo-token", "el resumen es la media de los tokens, y te quedas con uno "
                    "solo", with_flaw(_read, "primero", "ultimo", "ultima-columna")),
            Mistake("un-bloque", "el texto pasa por un solo bloque: tiene que pasar por todos",
                    with_flaw(_read, "un-bloque")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="torre-de-texto", needs=(ATTENTION, BLOCK),
)  # fmt: skip
