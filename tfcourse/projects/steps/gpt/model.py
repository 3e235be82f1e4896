"""El bloque y el modelo entero de GPT."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_tokens, drawn_weights, with_flaw
from tfcourse.projects.steps.gpt import maths
from tfcourse.projects.steps.gpt.pieces import ATTENTION, FEED_FORWARD, NORM
from tfcourse.projects.steps.gpt.shapes import block_shapes, model_shapes, model_sizes
from tfcourse.projects.steps.gpt.weights import course_weights
from tfcourse.projects.steps.piece import Step

# El bloque


def _block(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return maths.block(x, weights, sizes["n_heads"], flaw)


def _block_case(batch: int, length: int, d_model: int, n_heads: int, seed: int) -> Callable:
    def make() -> tuple:
        sizes = {"d_model": d_model, "n_heads": n_heads}
        weights = drawn_weights(block_shapes(d_model), seed)
        return sizes, weights, *random_tensors((batch, length, d_model), seed=seed + 1)

    return make


BLOCK = Step(
    Card(
        "gpt-bloque", "El bloque", "codigo", 1, 15, 2,
        "ensamblar normas, atención, red y residuos",
        (
            "Dos renglones: `x = x + atención(norma(x))` y lo mismo con la red.",
            "La red lee lo que dejó la atención, ya sumado, y con su propia norma, `norm2`.",
        ),
    ),
    Task(
        "Block",
        (
            Case("2 textos de 5 tokens, 2 cabezas", _block_case(2, 5, 8, 2, seed=50)),
            Case("4 cabezas", _block_case(1, 3, 16, 4, seed=51)),
        ),
        lambda sizes, weights, x: _block(sizes, weights, x),
        (
            Mistake("norma-detras", "normalizas después de sumar, como en 2017: en GPT la norma va "
                    "delante de cada subcapa", with_flaw(_block, "detras")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_block, "sin-residuo")),
            Mistake("residuo-normado", "sumas al vector normalizado: el residuo es `x`, tal como "
                    "entró", with_flaw(_block, "residuo-normado")),
            Mistake("en-paralelo", "la red lee `x` antes de que la atención sume lo suyo: va "
                    "detrás",
                    with_flaw(_block, "en-paralelo")),
            Mistake("normas", "la red lee lo que da `norm2`: no lo normalizas o usas `norm1`",
                    with_flaw(_block, "red-sin-norma", "una-norma")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="capa", needs=(NORM, ATTENTION, FEED_FORWARD),
)  # fmt: skip

# El modelo


def _model(sizes: dict, weights: dict, tokens: Tensor, flaw: str = "") -> dict[str, Tensor]:
    return maths.model(tokens, weights, sizes["n_heads"], flaw)


def _model_case(batch: int, length: int, sizes: dict[str, int], seed: int) -> Callable:
    def make() -> tuple:
        n_tokens = sizes["n_tokens"]
        shapes = model_shapes(n_tokens, sizes["d_model"], sizes["n_layers"])
        tokens = drawn_tokens(batch, length, n_tokens=n_tokens, seed=seed)
        return sizes, drawn_weights(shapes, seed + 1), tokens

    return make


def _course_case() -> tuple:
    sizes, weights = course_weights()
    return sizes, weights, drawn_tokens(1, 12, n_tokens=sizes["n_tokens"], seed=62)


MODEL = Step(
    Card(
        "gpt-modelo", "El modelo entero", "codigo", 2, 30, 4,
        "montar el modelo y leer cada piso por separado",
        (
            "Los bloques van en un `nn.ModuleList`: en una lista normal, sus parámetros no se "
            "encontrarían.",
            "`states` devuelve una lista: los embeddings, lo que sale de cada bloque y, por "
            "último, la "
            "norma final.",
            "Los logits son `states(tokens)[-1] @ self.embedding.weight.T`: la salida no tiene "
            "matriz "
            "propia.",
        ),
    ),
    Task(
        "GPT",
        (
            Case("2 bloques y un vocabulario de 11 tokens",
                 _model_case(2, 5, model_sizes(11, 8, 2, 2), seed=60)),
            Case("3 bloques", _model_case(1, 4, model_sizes(7, 12, 3, 3), seed=61)),
            Case("los pesos de `gpt_espanol`, los del curso, bloque a bloque", _course_case),
        ),
        lambda sizes, weights, tokens: _model(sizes, weights, tokens),
        (
            Mistake("norma-final", "falta la norma final: con la norma delante, nadie ha "
                    "normalizado lo "
                    "último que se sumó", with_flaw(_model, "sin-norma-final")),
            Mistake("escala", "multiplicas los embeddings por √d, como el Transformer de 2017: "
                    "GPT no "
                    "lo hace", with_flaw(_model, "escala")),
            Mistake("el-mismo-bloque", "pasas siempre por el mismo bloque: recorre `self.blocks`",
                    with_flaw(_model, "el-mismo-bloque")),
            Mistake("probabilidades", "devuelves probabilidades: `forward` da logits, sin softmax",
                    with_flaw(_model, "probabilidades")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="por-pisos", needs=(BLOCK, NORM),
)  # fmt: skip
