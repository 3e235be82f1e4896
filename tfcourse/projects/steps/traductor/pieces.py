"""Leer: la celda GRU, el recorrido de un lote con relleno y el codificador."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import PAD, drawn_source, drawn_weights, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.traductor import sums
from tfcourse.projects.steps.traductor.shapes import cell_shapes, encoder_shapes

CLOSE = 1e-4


def _gru(sizes: dict, weights: dict, x: Tensor, h: Tensor, flaw: str = "") -> Tensor:
    return sums.gru(x, h, weights, flaw)


def _gru_case(batch: int, d_input: int, d_hidden: int, seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(cell_shapes(d_input, d_hidden), seed)
        drawn = random_tensors((batch, d_input), (batch, d_hidden), seed=seed + 1)
        return {"d_input": d_input, "d_hidden": d_hidden}, weights, *drawn

    return make


GRU = Step(
    Card(
        "tr-celda", "La celda GRU", "codigo", 2, 25, 3, "escribir una celda con compuertas",
        (
            "Dos `nn.Linear`: `input_proj`, de D a 3H, y `hidden_proj`, de H a 3H. "
            "`chunk(3, dim=-1)` parte lo que dan en sus tres trozos.",
            "Los dos primeros trozos se suman y pasan por la sigmoide. El tercero de "
            "`hidden_proj(h)` se multiplica por r **antes** de sumarse, y la suma pasa por la "
            "tangente.",
        ),
    ),
    Task(
        "GRUCell",
        (
            Case("3 vectores de 5 y un estado de 4", _gru_case(3, 5, 4, seed=510)),
            Case("un solo vector", _gru_case(1, 2, 6, seed=512)),
        ),
        lambda sizes, weights, x, h: _gru(sizes, weights, x, h),
        (
            Mistake("al-reves", "z conserva: multiplica al estado anterior, y 1 − z, a lo nuevo",
                    with_flaw(_gru, "al-reves")),
            Mistake("orden", "los trozos van en otro orden: primero el reinicio, después la "
                    "actualización y al final lo nuevo", with_flaw(_gru, "orden")),
            Mistake("reinicio-antes", "el reinicio multiplica a lo que da `hidden_proj`, y no al "
                    "estado antes de entrar en ella", with_flaw(_gru, "reinicio-antes")),
            Mistake("reinicio", "el reinicio multiplica solo a lo que viene del estado, su "
                    "tercer trozo", with_flaw(_gru, "sin-reinicio", "reinicia-todo")),
            Mistake("tangente", "lo nuevo pasa por la tangente hiperbólica",
                    with_flaw(_gru, "sin-tanh", "sigmoide")),
            Mistake("olvida", "falta sumar lo que se conserva del estado anterior, z · h",
                    with_flaw(_gru, "olvida")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip


def _unroll(weights, x, mask, h, backwards, flaw: str = "") -> dict[str, Tensor]:
    """Los estados, el último y el gradiente, que se deriva de la misma cuenta."""

    def cell(x: Tensor, h: Tensor) -> Tensor:
        return torch.tanh(
            torch.einsum("bd,dh->bh", x, weights["read"])
            + torch.einsum("bd,dh->bh", h, weights["recall"])
        )

    leaf = x.clone().requires_grad_()
    states, last = sums.unroll(cell, leaf, mask, h, backwards, flaw)
    total = states.square().sum() + last.sum()
    (grad,) = torch.autograd.grad(total, [leaf])
    return {"estados": states.detach(), "último": last.detach(), "gradiente": grad}


def _unroll_case(batch: int, length: int, sizes: tuple[int, int], seed: int, backwards: bool):
    def make() -> tuple:
        d_input, d_hidden = sizes
        shapes = {"read": (d_input, d_hidden), "recall": (d_hidden, d_hidden)}
        x, h = random_tensors((batch, length, d_input), (batch, d_hidden), seed=seed + 1)
        mask = drawn_source(batch, length, 9, seed=seed + 2) != PAD
        return drawn_weights(shapes, seed), x, mask, h, backwards

    return make


UNROLL = Step(
    Card(
        "tr-recorrido", "El recorrido", "codigo", 2, 30, 3,
        "leer un lote con relleno en las dos direcciones",
        (
            "Un bucle por los lugares: `h` cambia solo en las filas en las que `mask` es cierta "
            "ahí, con `torch.where(mask[:, i, None], cell(x[:, i], h), h)`.",
            "De derecha a izquierda se empieza por el último lugar, que en las filas cortas es "
            "relleno: como ahí `h` no cambia, cada fila empieza por su último token.",
            "Guarda cada estado en su lugar: si has leído hacia atrás, da la vuelta a la lista "
            "antes de apilarla. En el relleno se guardan ceros.",
        ),
    ),
    Task(
        "unroll",
        (
            Case("3 textos, de izquierda a derecha", _unroll_case(3, 5, (4, 3), 520, False)),
            Case("3 textos, de derecha a izquierda", _unroll_case(3, 6, (2, 4), 524, True)),
            Case("un texto sin relleno, hacia atrás", _unroll_case(1, 3, (3, 2), 528, True)),
        ),
        lambda weights, x, mask, h, backwards: _unroll(weights, x, mask, h, backwards),
        (
            Mistake("lee-el-relleno", "el estado cambia al pasar por el relleno: ahí `h` se queda "
                    "como estaba", with_flaw(_unroll, "lee-el-relleno")),
            Mistake("sin-ceros", "en los lugares de relleno los estados que se guardan son ceros",
                    with_flaw(_unroll, "sin-ceros")),
            Mistake("no-vuelve", "con `backwards` se lee de derecha a izquierda",
                    with_flaw(_unroll, "no-vuelve")),
            Mistake("sin-ordenar", "al leer hacia atrás, los estados quedan al revés: el de cada "
                    "lugar va en su lugar", with_flaw(_unroll, "sin-ordenar", "lista-al-revés")),
            Mistake("ultima-columna", "el último estado no es el de la última columna: en una fila "
                    "con relleno, ahí hay ceros, y hacia atrás se acaba en la primera",
                    with_flaw(_unroll, "ultima-columna")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="recorrido",
)  # fmt: skip


def _encode(sizes: dict, weights: dict, source: Tensor, flaw: str = "") -> dict[str, Tensor]:
    return sums.encoder(source, weights, flaw)


def _encoder_case(batch: int, length: int, sizes: tuple[int, int, int], seed: int) -> Callable:
    names = ("n_tokens", "d_embedding", "d_hidden")

    def make() -> tuple:
        source = drawn_source(batch, length, sizes[0], seed=seed + 1)
        return dict(zip(names, sizes, strict=True)), drawn_weights(
            encoder_shapes(*sizes), seed
        ), source  # fmt: skip

    return make


ENCODER = Step(
    Card(
        "tr-codificador", "El codificador", "codigo", 2, 25, 3,
        "leer en las dos direcciones y juntar lo leído",
        (
            "Se llama dos veces a `unroll`, con `ahead` y con `back`; el estado inicial son ceros, "
            "(B, H), en el dispositivo de los embeddings: `x.new_zeros(…)`.",
            "El resumen son los dos últimos estados que devuelve `unroll`, y no la última columna "
            "de los estados.",
        ),
    ),
    Task(
        "Encoder",
        (
            Case("3 textos de hasta 6 tokens", _encoder_case(3, 6, (9, 4, 3), seed=530)),
            Case("2 textos de hasta 3", _encoder_case(2, 3, (7, 2, 5), seed=532)),
        ),
        lambda sizes, weights, source: _encode(sizes, weights, source),
        (
            Mistake("sin-mascara", "lees el relleno: a `unroll` se le da la máscara, cierta donde "
                    "el token no es 0", with_flaw(_encode, "sin-mascara")),
            Mistake("una-celda", "las dos direcciones usan la misma celda: una lleva `ahead`, y la "
                    "otra, `back`", with_flaw(_encode, "una-celda")),
            Mistake("dos-veces-adelante", "las dos celdas leen de izquierda a derecha: `back` lee "
                    "de derecha a izquierda", with_flaw(_encode, "dos-veces-adelante")),
            Mistake("resumen", "el resumen junta el último estado de cada dirección: el de `back` "
                    "es el de la primera columna", with_flaw(_encode, "resumen")),
            Mistake("orden", "al juntar, primero va lo de `ahead` y después lo de `back`",
                    with_flaw(_encode, "orden")),
            Mistake("negada", "la máscara está al revés: cierta es «puede mirar»",
                    with_flaw(_encode, "negada")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="codificador", needs=(GRU, UNROLL),
)  # fmt: skip
