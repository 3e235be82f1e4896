"""Leer una imagen: parches, entrada, atención, bloque y ViT."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_weights, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.vision import sums
from tfcourse.projects.steps.vision.shapes import (
    attention_shapes,
    block_shapes,
    input_shapes,
    vit_shapes,
)

CLOSE = 1e-4


def _patches_case(*shape: int, size: int, seed: int) -> Callable:
    return lambda: (*random_tensors(shape, seed=seed), size)


PATCHES = Step(
    Card(
        "vis-parches", "Los parches", "codigo", 1, 20, 2,
        "cortar una imagen en cuadrados sin mezclar sus puntos",
        (
            "`images.unflatten(2, (-1, size))` parte las filas en grupos de `size`; con las "
            "columnas, lo mismo. Quedan seis ejes: B, C, filas, P, columnas, P.",
            "Con `permute` se llevan delante las filas y las columnas de parches, y detrás, el "
            "canal y los puntos; después se aplana.",
        ),
    ),
    Task(
        "split_patches",
        (
            Case("2 imágenes de 4 × 4 con 3 canales", _patches_case(2, 3, 4, 4, size=2, seed=510)),
            Case("más ancha que alta", _patches_case(1, 2, 3, 9, size=3, seed=511)),
            Case("un solo parche", _patches_case(2, 1, 4, 4, size=4, seed=512)),
        ),
        lambda images, size: sums.patches(images, size),
        (
            Mistake("sin-intercambiar", "cambias la forma sin intercambiar ejes, y cada parche "
                    "se lleva puntos de otros: parte cada lado en dos ejes y pon delante los de "
                    "los parches", with_flaw(sums.patches, "sin-intercambiar")),
            Mistake("canal-al-final", "dentro de un parche va primero el canal, después la fila y "
                    "después la columna", with_flaw(sums.patches, "canal-al-final")),
            Mistake("por-columnas", "los parches van por filas: primero los de arriba, de "
                    "izquierda a derecha", with_flaw(sums.patches, "por-columnas")),
            Mistake("traspuestos", "cada parche te sale traspuesto: dentro de él, la fila va "
                    "antes que la columna", with_flaw(sums.patches, "traspuestos")),
        ),
    ),
)  # fmt: skip


def _enter(sizes: dict, weights: dict, images: Tensor, flaw: str = "") -> Tensor:
    return sums.entrance(images, weights, sizes["patch_size"], flaw)


def _input_case(batch: int, sizes: tuple[int, int, int, int], seed: int) -> Callable:
    names = ("channels", "image_size", "patch_size", "d_model")

    def make() -> tuple:
        weights = drawn_weights(input_shapes(*sizes), seed)
        (images,) = random_tensors((batch, sizes[0], sizes[1], sizes[1]), seed=seed + 1)
        return dict(zip(names, sizes, strict=True)), weights, images

    return make


INPUT = Step(
    Card(
        "vis-entrada", "La entrada", "codigo", 1, 20, 2,
        "convertir una imagen en los vectores que lee un codificador",
        (
            "`class_token` y `positions` son dos `nn.Parameter`; la tabla tiene una fila más que "
            "parches hay.",
            "`self.class_token.expand(len(images), 1, -1)` lo repite en cada imagen del lote; va "
            "delante, con `torch.cat`, y las posiciones se suman a todo.",
        ),
    ),
    Task(
        "PatchInput",
        (
            Case("3 imágenes de 6 × 6 y parches de 2", _input_case(3, (2, 6, 2, 8), seed=520)),
            Case("4 parches de un canal", _input_case(2, (1, 8, 4, 6), seed=522)),
        ),
        lambda sizes, weights, images: _enter(sizes, weights, images),
        (
            Mistake("sin-posiciones", "no sumas las posiciones: el codificador no sabría dónde "
                    "está cada parche", with_flaw(_enter, "sin-posiciones")),
            Mistake("clase-detras", "el token de clase va delante de los parches",
                    with_flaw(_enter, "clase-detras")),
            Mistake("clase-sin-posicion", "el token de clase también tiene su posición, la "
                    "primera fila de `positions`", with_flaw(_enter, "clase-sin-posicion")),
            Mistake("posiciones-corridas", "las posiciones están corridas: la primera fila es la "
                    "del token de clase", with_flaw(_enter, "posiciones-corridas")),
            Mistake("sin-clase", "falta el token de clase: sale un vector más que parches hay",
                    with_flaw(_enter, "sin-clase")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="entrada-de-parches", needs=(PATCHES,),
)  # fmt: skip


def _attend(sizes: dict, weights: dict, queries, keys, values, flaw: str = "") -> Tensor:
    return sums.attention(queries, keys, values, weights, sizes["n_heads"], flaw)


def _attention_case(n_queries: int, n_keys: int, d_model: int, n_heads: int, seed: int):
    def make() -> tuple:
        weights = drawn_weights(attention_shapes(d_model), seed)
        shapes = [(2, n, d_model) for n in (n_queries, n_keys, n_keys)]
        sizes = {"d_model": d_model, "n_heads": n_heads}
        return sizes, weights, *random_tensors(*shapes, seed=seed + 1)

    return make


ATTENTION = Step(
    Card(
        "vis-atencion", "La atención multicabeza", "codigo", 2, 30, 3,
        "separar con qué se compara y qué se mezcla",
        (
            "Las tres proyecciones reciben cosas distintas: `queries`, `keys` y `values`.",
            "`y.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "Al final se intercambian los ejes otra vez, se aplanan los dos últimos y se pasa por "
            "`out_proj`.",
        ),
    ),
    Task(
        "MultiHeadAttention",
        (
            Case("4 consultas y 6 claves", _attention_case(4, 6, 8, 2, seed=530)),
            Case("3 cabezas", _attention_case(3, 5, 12, 3, seed=534)),
            Case("tantas consultas como claves", _attention_case(5, 5, 8, 4, seed=538)),
        ),
        lambda sizes, weights, queries, keys, values: _attend(
            sizes, weights, queries, keys, values
        ),
        (
            Mistake("de-donde-sale", "las claves salen de `keys`, y los valores, de `values`, que "
                    "aquí no son lo mismo",
                    with_flaw(_attend, "valores-de-las-claves", "claves-de-los-valores")),
            Mistake("escala", "las puntuaciones se dividen entre √Dh, con Dh lo que mide una "
                    "cabeza", with_flaw(_attend, "sin-escala", "escala-modelo")),
            Mistake("softmax-eje", "el softmax reparte entre las consultas: debe repartir entre "
                    "las claves, el último eje", with_flaw(_attend, "eje")),
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


def _encode(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return sums.encoder_block(x, weights, sizes["n_heads"], flaw)


def block_sizes(d_model: int, n_heads: int, d_hidden: int) -> dict[str, int]:
    """Lo que recibe un bloque al crearse."""
    return {"d_model": d_model, "n_heads": n_heads, "d_hidden": d_hidden}


def _block_case(length: int, sizes: dict, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(block_shapes(sizes["d_model"], sizes["d_hidden"]), seed)
        (x,) = random_tensors((2, length, sizes["d_model"]), seed=seed + 1)
        return sizes, weights, factor * x

    return make


BLOCK = Step(
    Card(
        "vis-bloque", "El bloque del ViT", "codigo", 1, 20, 2,
        "ensamblar normas, atención, red y residuos",
        (
            "La atención recibe tres veces lo mismo: el vector ya normalizado.",
            "Dos renglones, `x = x + subcapa(norma(x))`, con la atención y con la red: `hidden`, "
            "`F.gelu` y `output`.",
        ),
    ),
    Task(
        "EncoderBlock",
        (
            Case("2 imágenes de 5 tokens", _block_case(5, block_sizes(8, 2, 12), seed=540)),
            Case("vectores pequeños: ε se nota",
                    _block_case(4, block_sizes(12, 3, 6), seed=544, factor=3e-3)),
        ),
        lambda sizes, weights, x: _encode(sizes, weights, x),
        (
            Mistake("norma-detras", "normalizas después de sumar: aquí la norma va delante de cada "
                    "subcapa", with_flaw(_encode, "detras")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_encode, "sin-residuo")),
            Mistake("residuo-normado", "sumas al vector normalizado: el residuo es `x`, tal como "
                    "entró", with_flaw(_encode, "residuo-normado")),
            Mistake("valores-sin-norma", "consultas, claves y valores salen del mismo vector "
                    "normalizado", with_flaw(_encode, "valores-sin-norma")),
            Mistake("activacion", "entre las dos capas de la red va una GELU, la exacta",
                    with_flaw(_encode, "relu", "tanh")),
            Mistake("epsilon", "la ε de estas normas es 1e-6: `nn.LayerNorm(d_model, eps=1e-6)`",
                    with_flaw(_encode, "epsilon")),
            Mistake("una-norma", "la red lleva su propia norma, `norm2`",
                    with_flaw(_encode, "una-norma")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa-con-norma", needs=(ATTENTION,),
)  # fmt: skip


def _vit(sizes: dict, weights: dict, images: Tensor, flaw: str = "") -> dict[str, Tensor]:
    return sums.vit(images, weights, sizes, flaw)


def _vit_case(batch: int, numbers: tuple[int, ...], seed: int, factor: float = 1.0) -> Callable:
    names = ("n_classes", "channels", "image_size", "patch_size", "d_model", "n_heads",
             "d_hidden", "n_layers")  # fmt: skip

    def make() -> tuple:
        sizes = dict(zip(names, numbers, strict=True))
        weights = drawn_weights(vit_shapes(sizes), seed)
        side = sizes["image_size"]
        (images,) = random_tensors((batch, sizes["channels"], side, side), seed=seed + 1)
        return sizes, {name: factor * value for name, value in weights.items()}, images

    return make


VIT = Step(
    Card(
        "vis-vit", "El ViT entero", "codigo", 2, 25, 3, "montar el codificador y leer su resumen",
        (
            "Los bloques van en un `nn.ModuleList`; `encode` acaba en `norm`.",
            "La clase se lee en un solo vector, el del token de clase: "
            "`self.encode(images)[:, 0]`.",
        ),
    ),
    Task(
        "ViT",
        (
            Case("2 bloques y 9 parches", _vit_case(3, (5, 2, 6, 2, 8, 2, 12, 2), seed=550)),
            Case("un bloque y 3 cabezas", _vit_case(2, (4, 1, 8, 4, 12, 3, 8, 1), seed=560)),
            Case("pesos pequeños, como al empezar: ε se nota",
                    _vit_case(2, (3, 1, 4, 2, 8, 2, 8, 1), seed=570, factor=0.03)),
        ),
        lambda sizes, weights, images: _vit(sizes, weights, images),
        (
            Mistake("sin-norma", "falta la norma final: lo que sale de `encode` es lo que da "
                    "`norm`", with_flaw(_vit, "sin-norma")),
            Mistake("resumen", "la clase se lee en el token de clase, que es el primero",
                    with_flaw(_vit, "ultimo-parche", "media", "media-de-parches")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_vit, "softmax")),
            Mistake("un-bloque", "la imagen pasa por un solo bloque: tiene que pasar por todos",
                    with_flaw(_vit, "un-bloque")),
            Mistake("epsilon", "la ε de la norma final también es 1e-6",
                    with_flaw(_vit, "epsilon")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="vit", needs=(INPUT, BLOCK),
)  # fmt: skip
