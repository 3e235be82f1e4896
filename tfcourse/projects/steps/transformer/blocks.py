"""Los dos bloques del Transformer y el modelo entero."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import (
    START,
    drawn_source,
    drawn_tokens,
    drawn_weights,
    with_flaw,
)
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.transformer import sums
from tfcourse.projects.steps.transformer.pieces import (
    ATTENTION,
    FEED_FORWARD,
    MASKS,
    NORM,
    POSITIONS,
)
from tfcourse.projects.steps.transformer.shapes import block_shapes, model_shapes
from tfcourse.projects.steps.transformer.weights import course_weights


def _encode(sizes: dict, weights: dict, x: Tensor, mask: Tensor, flaw: str = "") -> Tensor:
    return sums.encoder_block(x, mask, weights, sizes["n_heads"], flaw)


def _block_sizes(d_model: int, n_heads: int, d_hidden: int) -> dict[str, int]:
    return {"d_model": d_model, "n_heads": n_heads, "d_hidden": d_hidden}


def _encoder_case(length: int, sizes: dict, seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(block_shapes(sizes["d_model"], sizes["d_hidden"]), seed)
        real, _ = sums.masks(drawn_source(3, length, 9, seed=seed + 2), 1)
        return sizes, weights, *random_tensors((3, length, sizes["d_model"]), seed=seed + 1), real

    return make


ENCODER = Step(
    Card(
        "tf-codificador", "El bloque del codificador", "codigo", 1, 20, 2,
        "ensamblar normas, atención, red y residuos",
        (
            "La atención recibe tres veces lo mismo: el vector ya normalizado pregunta, y es la "
            "memoria a la que se pregunta.",
            "Dos renglones: `x = x + subcapa(norma(x))`, con la atención y con la red.",
        ),
    ),
    Task(
        "EncoderBlock",
        (
            Case("3 textos de hasta 5 tokens", _encoder_case(5, _block_sizes(8, 2, 12), seed=350)),
            Case("3 cabezas", _encoder_case(4, _block_sizes(12, 3, 6), seed=354)),
        ),
        lambda sizes, weights, x, mask: _encode(sizes, weights, x, mask),
        (
            Mistake("norma-detras", "normalizas después de sumar: aquí la norma va delante de cada "
                    "subcapa", with_flaw(_encode, "detras")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_encode, "sin-residuo")),
            Mistake("residuo-normado", "sumas al vector normalizado: el residuo es `x`, tal como "
                    "entró",
                    with_flaw(_encode, "residuo-normado")),
            Mistake("claves-sin-norma", "consultas y claves salen del mismo vector normalizado",
                    with_flaw(_encode, "claves-sin-norma")),
            Mistake("sin-mascara", "no le pasas la máscara a la atención: se mira el relleno",
                    with_flaw(_encode, "sin-mascara")),
            Mistake("una-norma", "la red lleva su propia norma, `norm2`",
                    with_flaw(_encode, "una-norma")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="capa", needs=(NORM, ATTENTION, FEED_FORWARD),
)  # fmt: skip


def _decode(sizes, weights, x, memory, mask, memory_mask, flaw: str = "") -> Tensor:
    return sums.decoder_block(x, memory, mask, memory_mask, weights, sizes["n_heads"], flaw)


def _decoder_case(length: int, n_source: int, sizes: dict, seed: int) -> Callable:
    def make() -> tuple:
        d_model = sizes["d_model"]
        weights = drawn_weights(block_shapes(d_model, sizes["d_hidden"], decoder=True), seed)
        x, memory = random_tensors((2, length, d_model), (2, n_source, d_model), seed=seed + 1)
        real, past = sums.masks(drawn_source(2, n_source, 9, seed=seed + 2), length)
        return sizes, weights, x, memory, past, real

    return make


DECODER = Step(
    Card(
        "tf-decodificador", "El bloque del decodificador", "codigo", 2, 25, 3,
        "mirar lo escrito y después lo leído",
        (
            "Tres renglones, por este orden: atención a sí mismo con `mask`, atención a `memory` "
            "con "
            "`memory_mask` y la red; cada uno con su norma.",
            "La memoria llega ya normalizada por el codificador: se normaliza quien pregunta.",
        ),
    ),
    Task(
        "DecoderBlock",
        (
            Case("4 tokens escritos y 6 leídos",
                    _decoder_case(4, 6, _block_sizes(8, 2, 12), seed=360)),
            Case("3 cabezas", _decoder_case(5, 4, _block_sizes(12, 3, 6), seed=364)),
        ),
        lambda sizes, weights, x, memory, mask, memory_mask: _decode(
            sizes, weights, x, memory, mask, memory_mask
        ),
        (
            Mistake("sin-causal", "no tapas el futuro: la autoatención lleva `mask`",
                    with_flaw(_decode, "sin-causal")),
            Mistake("memoria-con-relleno", "miras el relleno de la entrada: la atención a la "
                    "memoria "
                    "lleva `memory_mask`", with_flaw(_decode, "memoria-con-relleno")),
            Mistake("orden", "primero se mira lo escrito y después la memoria: lo haces al revés",
                    with_flaw(_decode, "orden")),
            Mistake("memoria-normada", "normalizas la memoria otra vez: se normaliza solo quien "
                    "pregunta",
                    with_flaw(_decode, "memoria-normada")),
            Mistake("se-mira-dos-veces", "la segunda atención también mira lo escrito: tiene que "
                    "mirar "
                    "`memory`", with_flaw(_decode, "se-mira-dos-veces")),
            Mistake("sin-residuo", "falta el residuo de la atención a la memoria",
                    with_flaw(_decode, "sin-residuo")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="capa", needs=(NORM, ATTENTION, FEED_FORWARD),
)  # fmt: skip


def _model(sizes: dict, weights: dict, source: Tensor, target: Tensor, flaw: str = "") -> dict:
    return sums.model(source, target, weights, sizes["n_heads"], flaw)


def model_case(batch: int, lengths: tuple[int, int], sizes: dict, seed: int) -> Callable:
    """Un modelo al azar, unas entradas con relleno y unas salidas."""

    def make() -> tuple:
        names = ("n_tokens", "d_model", "d_hidden", "n_layers")
        weights = drawn_weights(model_shapes(*(sizes[name] for name in names)), seed)
        source = drawn_source(batch, lengths[0], sizes["n_tokens"], seed=seed + 1)
        target = 3 + drawn_tokens(batch, lengths[1], n_tokens=sizes["n_tokens"] - 3, seed=seed + 2)
        target[:, 0] = START
        return sizes, weights, source, target

    return make


def model_sizes(n_tokens: int, d_model: int, n_heads: int, d_hidden: int, n_layers: int) -> dict:
    """Lo que recibe `Transformer` al crearse."""
    return {"n_tokens": n_tokens, **_block_sizes(d_model, n_heads, d_hidden), "n_layers": n_layers}


def _course_case() -> tuple:
    sizes, weights = course_weights()
    source = drawn_source(2, 9, sizes["n_tokens"], seed=372)
    target = torch.cat([torch.full((2, 1), START), source[:, :5].flip(1)], dim=1)
    return sizes, weights, source, target


MODEL = Step(
    Card(
        "tf-modelo", "El modelo entero", "codigo", 2, 35, 4, "montar el codificador y el "
        "decodificador",
        (
            "Los bloques van en dos `nn.ModuleList`: `encoder` y `decoder`.",
            "Los embeddings, a la entrada y a la salida: `self.embedding(tokens) * √D` más "
            "`positions(L, D)`, llevadas al dispositivo de los tokens.",
            "`encode` acaba con `encoder_norm`; `decode`, con `decoder_norm` y el producto por "
            "la matriz "
            "de los embeddings, traspuesta.",
        ),
    ),
    Task(
        "Transformer",
        (
            Case("2 bloques a cada lado",
                    model_case(3, (6, 4), model_sizes(11, 8, 2, 12, 2), seed=370)),
            Case("un bloque y 3 cabezas",
                    model_case(2, (3, 5), model_sizes(9, 12, 3, 8, 1), seed=380)),
            Case("los pesos de `traductor`, los del curso", _course_case),
        ),
        lambda sizes, weights, source, target: _model(sizes, weights, source, target),
        (
            Mistake("escala", "los embeddings se multiplican por √D antes de sumar las posiciones",
                    with_flaw(_model, "sin-escala")),
            Mistake("sin-posiciones", "no sumas las posiciones: el modelo no sabe el orden",
                    with_flaw(_model, "sin-posiciones")),
            Mistake("normas-finales", "con la norma delante, el codificador y el decodificador "
                    "acaban con "
                    "una más: `encoder_norm` y `decoder_norm`",
                    with_flaw(_model, "memoria-sin-norma", "sin-norma-final")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_model, "probabilidades")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="traductor", needs=(ENCODER, DECODER, NORM, POSITIONS, MASKS),
)  # fmt: skip
