"""Las piezas del Transformer: de la norma al modelo entero."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import (
    drawn_tokens,
    drawn_weights,
    linear,
    under,
    with_flaw,
)
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.transformer import sums
from tfcourse.projects.steps.transformer.weights import course_weights

CLOSE = 1e-4
Shapes = dict[str, tuple[int, ...]]


def norm_shapes(d_model: int) -> Shapes:
    """Las formas de los pesos de una norma."""
    return {"gain": (d_model,), "bias": (d_model,)}


def attention_shapes(d_model: int) -> Shapes:
    """Las de la atención."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return {k: v for name in names for k, v in linear(name, d_model, d_model).items()}


def network_shapes(d_model: int, d_hidden: int) -> Shapes:
    """Las de la red por posición."""
    return linear("hidden", d_model, d_hidden) | linear("output", d_hidden, d_model)


def block_shapes(d_model: int, d_hidden: int, *, decoder: bool = False) -> Shapes:
    """Las de un bloque."""
    cross = under("cross_attention", attention_shapes(d_model)) if decoder else {}
    norms = ("norm1", "norm2", "norm3") if decoder else ("norm1", "norm2")
    return {
        **{k: v for name in norms for k, v in under(name, norm_shapes(d_model)).items()},
        **under("attention", attention_shapes(d_model)), **cross,
        **under("feed_forward", network_shapes(d_model, d_hidden)),
    }  # fmt: skip


def model_shapes(n_tokens: int, d_model: int, d_hidden: int, n_layers: int) -> Shapes:
    """Las del modelo entero."""
    found: Shapes = {"embedding.weight": (n_tokens, d_model)}
    for name in ("encoder", "decoder"):
        for depth in range(n_layers):
            own = block_shapes(d_model, d_hidden, decoder=name == "decoder")
            found |= under(f"{name}.{depth}", own)
        found |= under(f"{name}_norm", norm_shapes(d_model))
    return found


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
            "La media y la varianza, con `keepdim=True` y por el último eje; la varianza es la media de "
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
            Mistake("entre-n-1", "tu varianza divide entre D − 1, como `var()` por omisión: aquí se "
                    "divide entre D (`correction=0`)", with_flaw(_norm, "entre-n-1")),
            Mistake("epsilon", "ε vale 1e-5 y se suma a la varianza, dentro de la raíz",
                    with_flaw(_norm, "epsilon", "epsilon-ausente", "epsilon-otro")),
            Mistake("sin-raiz", "divides entre la varianza: se divide entre su raíz",
                    with_flaw(_norm, "sin-raiz")),
            Mistake("ganancia", "`gain` multiplica y `bias` se suma, los dos, a lo ya normalizado",
                    with_flaw(_norm, "sin-ganancia", "sin-sesgo")),
            Mistake("eje", "mezclas las posiciones: la media y la varianza son de cada vector, por el "
                    "último eje", with_flaw(_norm, "eje")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
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
            Mistake("mitades", "pones los senos en una mitad y los cosenos en la otra: van alternados, "
                    "seno en 2i y coseno en 2i + 1", with_flaw(sums.positions, "mitades")),
            Mistake("al-reves", "los senos van en las componentes pares, y los cosenos, en las impares",
                    with_flaw(sums.positions, "al-reves")),
            Mistake("frecuencias", "el exponente es 2i/D, con i de 0 a D/2 − 1: tus frecuencias bajan a "
                    "otro paso", with_flaw(sums.positions, "paso")),
            Mistake("desde-uno", "la primera posición es la 0", with_flaw(sums.positions, "desde-uno")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
)  # fmt: skip


def drawn_source(batch: int, length: int, n_tokens: int, seed: int) -> Tensor:
    """Textos de distinta longitud, con relleno detrás; el primero llena su fila."""
    tokens = 3 + drawn_tokens(batch, length, n_tokens=n_tokens - 3, seed=seed)
    for row in range(1, batch):
        tokens[row, max(1, length - 1 - row) :] = sums.PAD
    return tokens


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
            Mistake("futuro", "la máscara causal deja ver el futuro y tapa el pasado: es la otra mitad",
                    with_flaw(sums.masks, "futuro")),
            Mistake("por-consultas", "la máscara del relleno tapa claves, así que su último eje es el de "
                    "la entrada: (B, 1, 1, S)", with_flaw(sums.masks, "por-consultas")),
        ),
        outputs=("relleno", "causal"), differentiable=False,
    ),
    wrong_dtype="los valores están bien, pero las máscaras son de números: han de ser booleanas",
)  # fmt: skip


def _attend(sizes: dict, weights: dict, x: Tensor, memory: Tensor, mask, flaw: str = "") -> Tensor:
    return sums.attention(x, memory, weights, sizes["n_heads"], mask, flaw)


def _attention_case(
    n_queries: int, n_keys: int, d_model: int, n_heads: int, seed: int, masked=True
):
    def make() -> tuple:
        weights = drawn_weights(attention_shapes(d_model), seed)
        x, memory = random_tensors((2, n_queries, d_model), (2, n_keys, d_model), seed=seed + 1)
        real = sums.masks(drawn_source(2, n_keys, 9, seed=seed + 2), 1)[0] if masked else None
        return {"d_model": d_model, "n_heads": n_heads}, weights, x, memory, real

    return make


ATTENTION = Step(
    Card(
        "tf-atencion", "La atención multicabeza", "codigo", 2, 40, 4,
        "consultar una memoria con varias cabezas y una máscara",
        (
            "Las consultas salen de `x`; las claves y los valores, de `memory`. Cada uno, con su capa.",
            "`y.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "Donde la máscara es falsa, −∞ antes del softmax; y al final se juntan las cabezas y se pasa "
            "por `out_proj`.",
        ),
    ),
    Task(
        "MultiHeadAttention",
        (
            Case("4 consultas y 6 claves, con relleno", _attention_case(4, 6, 8, 2, seed=330)),
            Case("sin máscara", _attention_case(3, 5, 12, 3, seed=334, masked=False)),
            Case("tantas consultas como claves", _attention_case(5, 5, 8, 4, seed=338)),
        ),
        lambda sizes, weights, x, memory, mask: _attend(sizes, weights, x, memory, mask),
        (
            Mistake("mascara", "la máscara no se respeta: donde es `False` no se mira, y lo tapado debe "
                    "valer −∞ antes del softmax",
                    with_flaw(_attend, "sin-mascara", "negada", "tapa-despues")),
            Mistake("escala", "las puntuaciones se dividen entre √Dh, con Dh lo que mide una cabeza",
                    with_flaw(_attend, "sin-escala", "escala-modelo")),
            Mistake("softmax-eje", "el softmax reparte entre las consultas: debe repartir entre las "
                    "claves, el último eje", with_flaw(_attend, "eje")),
            Mistake("reparto", "repartes mal las cabezas: parte el último eje y después intercambia",
                    with_flaw(_attend, "reparto")),
            Mistake("junta-mal", "al juntar las cabezas mezclas posiciones: intercambia los ejes antes "
                    "de aplanar", with_flaw(_attend, "junta-mal")),
            Mistake("de-donde-sale", "las consultas salen de `x`; las claves y los valores, de `memory`",
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
            Mistake("residuo-normado", "sumas al vector normalizado: el residuo es `x`, tal como entró",
                    with_flaw(_encode, "residuo-normado")),
            Mistake("claves-sin-norma", "consultas y claves salen del mismo vector normalizado",
                    with_flaw(_encode, "claves-sin-norma")),
            Mistake("sin-mascara", "no le pasas la máscara a la atención: se mira el relleno",
                    with_flaw(_encode, "sin-mascara")),
            Mistake("una-norma", "la red lleva su propia norma, `norm2`", with_flaw(_encode, "una-norma")),
        ),
        tolerance=CLOSE, differentiable=False,
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
            "Tres renglones, por este orden: atención a sí mismo con `mask`, atención a `memory` con "
            "`memory_mask` y la red; cada uno con su norma.",
            "La memoria llega ya normalizada por el codificador: se normaliza quien pregunta.",
        ),
    ),
    Task(
        "DecoderBlock",
        (
            Case("4 tokens escritos y 6 leídos", _decoder_case(4, 6, _block_sizes(8, 2, 12), seed=360)),
            Case("3 cabezas", _decoder_case(5, 4, _block_sizes(12, 3, 6), seed=364)),
        ),
        lambda sizes, weights, x, memory, mask, memory_mask: _decode(
            sizes, weights, x, memory, mask, memory_mask
        ),
        (
            Mistake("sin-causal", "no tapas el futuro: la autoatención lleva `mask`",
                    with_flaw(_decode, "sin-causal")),
            Mistake("memoria-con-relleno", "miras el relleno de la entrada: la atención a la memoria "
                    "lleva `memory_mask`", with_flaw(_decode, "memoria-con-relleno")),
            Mistake("orden", "primero se mira lo escrito y después la memoria: lo haces al revés",
                    with_flaw(_decode, "orden")),
            Mistake("memoria-normada", "normalizas la memoria otra vez: se normaliza solo quien pregunta",
                    with_flaw(_decode, "memoria-normada")),
            Mistake("se-mira-dos-veces", "la segunda atención también mira lo escrito: tiene que mirar "
                    "`memory`", with_flaw(_decode, "se-mira-dos-veces")),
            Mistake("sin-residuo", "falta el residuo de la atención a la memoria",
                    with_flaw(_decode, "sin-residuo")),
        ),
        tolerance=CLOSE, differentiable=False,
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
        target[:, 0] = sums.START
        return sizes, weights, source, target

    return make


def model_sizes(n_tokens: int, d_model: int, n_heads: int, d_hidden: int, n_layers: int) -> dict:
    """Lo que recibe `Transformer` al crearse."""
    return {"n_tokens": n_tokens, **_block_sizes(d_model, n_heads, d_hidden), "n_layers": n_layers}


def _course_case() -> tuple:
    sizes, weights = course_weights()
    source = drawn_source(2, 9, sizes["n_tokens"], seed=372)
    target = torch.cat([torch.full((2, 1), sums.START), source[:, :5].flip(1)], dim=1)
    return sizes, weights, source, target


MODEL = Step(
    Card(
        "tf-modelo", "El modelo entero", "codigo", 2, 35, 4, "montar el codificador y el decodificador",
        (
            "Los bloques van en dos `nn.ModuleList`: `encoder` y `decoder`.",
            "Los embeddings, a la entrada y a la salida: `self.embedding(tokens) * √D` más "
            "`positions(L, D)`, llevadas al dispositivo de los tokens.",
            "`encode` acaba con `encoder_norm`; `decode`, con `decoder_norm` y el producto por la matriz "
            "de los embeddings, traspuesta.",
        ),
    ),
    Task(
        "Transformer",
        (
            Case("2 bloques a cada lado", model_case(3, (6, 4), model_sizes(11, 8, 2, 12, 2), seed=370)),
            Case("un bloque y 3 cabezas", model_case(2, (3, 5), model_sizes(9, 12, 3, 8, 1), seed=380)),
            Case("los pesos de `traductor`, los del curso", _course_case),
        ),
        lambda sizes, weights, source, target: _model(sizes, weights, source, target),
        (
            Mistake("escala", "los embeddings se multiplican por √D antes de sumar las posiciones",
                    with_flaw(_model, "sin-escala")),
            Mistake("sin-posiciones", "no sumas las posiciones: el modelo no sabe el orden",
                    with_flaw(_model, "sin-posiciones")),
            Mistake("normas-finales", "con la norma delante, el codificador y el decodificador acaban con "
                    "una más: `encoder_norm` y `decoder_norm`",
                    with_flaw(_model, "memoria-sin-norma", "sin-norma-final")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_model, "probabilidades")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="traductor", needs=(ENCODER, DECODER, NORM, POSITIONS, MASKS),
)  # fmt: skip
