"""Las piezas del Transformer: norma, posiciones, máscaras, atención y red."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import (
    FILLS,
    SMALL,
    drawn_source,
    drawn_weights,
    low_scores,
    with_flaw,
)
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.transformer import sums
from tfcourse.projects.steps.transformer.shapes import (
    attention_shapes,
    network_shapes,
    norm_shapes,
)

CLOSE = 1e-4


def _norm(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return sums.norm(x, weights, flaw)


def _norm_case(*shape: int, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        (x,) = random_tensors(shape, seed=seed)
        weights = drawn_weights(norm_shapes(shape[-1]), seed + 1)
        return {"d_model": shape[-1]}, weights, (x + 0.7) * factor

    return make


NORM = Step(
    Card(
        "tf-norma", "La norma de capa", "codigo", 1, 15, 2, "escribir una capa con sus parámetros",
        (
            "Dos `nn.Parameter`: `gain`, a 1, y `bias`, a 0, los dos de forma (D,).",
            "La media y la varianza, con `keepdim=True` y por el último eje; la varianza es la "
            "media de "
            "los cuadrados de lo ya centrado.",
        ),
    ),
    Task(
        "LayerNorm",
        (
            Case("un lote de 2 textos de 3 vectores", _norm_case(2, 3, 8, seed=310)),
            Case("vectores muy parecidos: ε se nota", _norm_case(2, 4, 6, seed=311, factor=3e-3)),
            Case("un solo vector de 4", _norm_case(1, 1, 4, seed=312)),
        ),
        lambda sizes, weights, x: _norm(sizes, weights, x),
        (
            Mistake("sin-media", "tu capa no resta la media: primero se centra cada vector",
                    with_flaw(_norm, "sin-media")),
            Mistake("entre-n-1", "tu varianza divide entre D − 1, como `var()` por omisión: aquí "
                    "se "
                    "divide entre D (`correction=0`)", with_flaw(_norm, "entre-n-1")),
            Mistake("epsilon", "ε vale 1e-5 y se suma a la varianza, dentro de la raíz",
                    with_flaw(_norm, "epsilon", "epsilon-ausente", "epsilon-otro")),
            Mistake("sin-raiz", "divides entre la varianza: se divide entre su raíz",
                    with_flaw(_norm, "sin-raiz")),
            Mistake("ganancia", "`gain` multiplica y `bias` se suma, los dos, a lo ya normalizado",
                    with_flaw(_norm, "sin-ganancia", "sin-sesgo")),
            Mistake("eje", "mezclas las posiciones: la media y la varianza son de cada vector, "
                    "por el "
                    "último eje", with_flaw(_norm, "eje")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="norma-de-capa",
)  # fmt: skip

POSITIONS = Step(
    Card(
        "tf-posiciones", "Las posiciones", "codigo", 1, 20, 2, "decir con senos en qué lugar está "
        "cada token",
        (
            "Un producto exterior: posiciones en columna por frecuencias en fila.",
            "`torch.stack([sen, cos], dim=-1).flatten(1)` los deja alternados: seno, coseno, seno, "
            "coseno…",
        ),
    ),
    Task(
        "positions",
        (
            Case("5 posiciones de 8 números", lambda: (5, 8)),
            Case("40 posiciones de 6", lambda: (40, 6)),
            Case("una posición", lambda: (1, 4)),
        ),
        lambda length, d_model: sums.positions(length, d_model),
        (
            Mistake("mitades", "pones los senos en una mitad y los cosenos en la otra: van "
                    "alternados, "
                    "seno en 2i y coseno en 2i + 1", with_flaw(sums.positions, "mitades")),
            Mistake("al-reves", "los senos van en las componentes pares, y los cosenos, en las "
                    "impares",
                    with_flaw(sums.positions, "al-reves")),
            Mistake("frecuencias", "el exponente es 2i/D, con i de 0 a D/2 − 1: tus frecuencias "
                    "bajan a "
                    "otro paso", with_flaw(sums.positions, "paso")),
            Mistake("desde-uno", "la primera posición es la 0",
                    with_flaw(sums.positions, "desde-uno")),
        ),
        tolerance=CLOSE, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los valores están bien, y se piden en `float32`: haz la cuenta como quieras y "
    "acaba con `.float()`",
)  # fmt: skip


MASKS = Step(
    Card(
        "tf-mascaras", "Las máscaras", "codigo", 1, 15, 2, "decir a dónde se puede mirar",
        (
            "`source != 0` ya dice dónde no hay relleno; con `[:, None, None, :]` toma su forma.",
            "`torch.ones(T, T, dtype=torch.bool).tril()` deja ver lo propio y lo anterior.",
        ),
    ),
    Task(
        "masks",
        (
            Case("3 textos de hasta 6 tokens", lambda: (drawn_source(3, 6, 9, seed=320), 4)),
            Case("una salida de un token", lambda: (drawn_source(2, 3, 9, seed=321), 1)),
        ),
        lambda source, length: sums.masks(source, length),
        (
            Mistake("negada", "tus máscaras están al revés: `True` es «puede mirar»",
                    with_flaw(sums.masks, "negada")),
            Mistake("a-si-misma", "cada posición de la salida también se mira a sí misma",
                    with_flaw(sums.masks, "estricta")),
            Mistake("futuro", "la máscara causal deja ver el futuro y tapa el pasado: es la otra "
                    "mitad",
                    with_flaw(sums.masks, "futuro")),
            Mistake("por-consultas", "la máscara del relleno tapa claves, así que su último eje "
                    "es el de "
                    "la entrada: (B, 1, 1, S)", with_flaw(sums.masks, "por-consultas")),
        ),
        outputs=("relleno", "causal"), differentiable=False,
    ),
    wrong_dtype="los valores están bien, pero las máscaras son de números: han de ser booleanas",
)  # fmt: skip


def _attend(sizes: dict, weights: dict, x: Tensor, memory: Tensor, mask, flaw: str = "") -> Tensor:
    return sums.attention(x, memory, weights, sizes["n_heads"], mask, flaw)


def _attention_case(
    n_queries: int, n_keys: int, d_model: int, n_heads: int, seed: int, masked=True, low=False
):
    def make() -> tuple:
        weights = drawn_weights(attention_shapes(d_model), seed)
        x, memory = random_tensors((2, n_queries, d_model), (2, n_keys, d_model), seed=seed + 1)
        real = sums.masks(drawn_source(2, n_keys, 9, seed=seed + 2), 1)[0] if masked else None
        if low:
            weights = low_scores(weights, d_model // n_heads)
            x, memory = SMALL * x, SMALL * memory
        return {"d_model": d_model, "n_heads": n_heads}, weights, x, memory, real

    return make


ATTENTION = Step(
    Card(
        "tf-atencion", "La atención multicabeza", "codigo", 2, 40, 4,
        "consultar una memoria con varias cabezas y una máscara",
        (
            "Las consultas salen de `x`; las claves y los valores, de `memory`. Cada uno, con su "
            "capa.",
            "`y.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "Donde la máscara es falsa, −∞ antes del softmax; y al final se juntan las cabezas y "
            "se pasa "
            "por `out_proj`.",
        ),
    ),
    Task(
        "MultiHeadAttention",
        (
            Case("4 consultas y 6 claves, con relleno", _attention_case(4, 6, 8, 2, seed=330)),
            Case("sin máscara", _attention_case(3, 5, 12, 3, seed=334, masked=False)),
            Case("tantas consultas como claves", _attention_case(5, 5, 8, 4, seed=338)),
            Case("puntuaciones muy bajas: lo tapado no pesa",
                 _attention_case(3, 5, 8, 2, seed=339, low=True)),
        ),
        lambda sizes, weights, x, memory, mask: _attend(sizes, weights, x, memory, mask),
        (
            Mistake("mascara", "la máscara no se respeta: donde es `False` no se mira, y lo "
                    "tapado debe "
                    "valer −∞ antes del softmax",
                    with_flaw(_attend, "sin-mascara", "negada", "tapa-despues")),
            Mistake("tapado-con-un-numero", "tapas con un número, y si las demás puntuaciones son "
                    "aún más bajas, lo tapado pesa: pon −∞",
                    with_flaw(_attend, *FILLS)),
            Mistake("escala", "las puntuaciones se dividen entre √Dh, con Dh lo que mide una "
                    "cabeza",
                    with_flaw(_attend, "sin-escala", "escala-modelo")),
            Mistake("softmax-eje", "el softmax reparte entre las consultas: debe repartir entre "
                    "las "
                    "claves, el último eje", with_flaw(_attend, "eje")),
            Mistake("reparto", "repartes mal las cabezas: parte el último eje y después "
                    "intercambia",
                    with_flaw(_attend, "reparto")),
            Mistake("junta-mal", "al juntar las cabezas mezclas posiciones: intercambia los ejes "
                    "antes "
                    "de aplanar", with_flaw(_attend, "junta-mal")),
            Mistake("de-donde-sale", "las consultas salen de `x`; las claves y los valores, de "
                    "`memory`",
                    with_flaw(_attend, "cruzada", "valores")),
            Mistake("sin-salida", "falta `out_proj` al final", with_flaw(_attend, "sin-salida")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip


def _network(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return sums.feed_forward(x, weights, flaw)


def _network_case(*shape: int, d_hidden: int, seed: int) -> Callable:
    def make() -> tuple:
        sizes = {"d_model": shape[-1], "d_hidden": d_hidden}
        weights = drawn_weights(network_shapes(shape[-1], d_hidden), seed)
        return sizes, weights, *random_tensors(shape, seed=seed + 1)

    return make


FEED_FORWARD = Step(
    Card(
        "tf-red", "La red por posición", "codigo", 1, 10, 1, "encadenar dos capas lineales",
        (
            "Dos `nn.Linear`, `hidden` y `output`.",
            "Entre ellas, `F.relu`; detrás de la segunda no hay nada.",
        ),
    ),
    Task(
        "FeedForward",
        (
            Case("2 textos de 3 vectores", _network_case(2, 3, 6, d_hidden=24, seed=340)),
            Case("una capa oculta estrecha", _network_case(1, 2, 8, d_hidden=5, seed=341)),
        ),
        lambda sizes, weights, x: _network(sizes, weights, x),
        (
            Mistake("activacion", "entre las dos capas va una ReLU, que anula lo negativo",
                    with_flaw(_network, "gelu", "lineal")),
            Mistake("relu-final", "la segunda capa no lleva ReLU detrás",
                    with_flaw(_network, "relu-final")),
            Mistake("residuo", "el residuo lo pone el bloque: aquí no se suma la entrada",
                    with_flaw(_network, "residuo")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip
