"""Mirar y escribir: la atención aditiva, el paso del decodificador y el modelo entero."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import (
    FILLS,
    LOW,
    PAD,
    START,
    drawn_source,
    drawn_tokens,
    drawn_weights,
    with_flaw,
)
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.traductor import sums
from tfcourse.projects.steps.traductor.pieces import CLOSE, ENCODER, GRU, UNROLL
from tfcourse.projects.steps.traductor.shapes import (
    attention_shapes,
    decoder_shapes,
    model_shapes,
)
from tfcourse.projects.steps.traductor.weights import course_weights


def _attend(sizes, weights, query, states, mask, flaw: str = "") -> dict[str, Tensor]:
    return sums.attention(query, states, mask, weights, flaw)


def _attention_case(
    batch: int, length: int, sizes: tuple[int, int, int], seed: int, low: bool = False
) -> Callable:
    names = ("d_query", "d_key", "d_hidden")

    def make() -> tuple:
        weights = drawn_weights(attention_shapes(*sizes), seed)
        weights["score_proj.weight"] = 3 * weights["score_proj.weight"]
        query, states = random_tensors((batch, sizes[0]), (batch, length, sizes[1]), seed=seed + 1)
        mask = drawn_source(batch, length, 9, seed=seed + 2) != PAD
        if low:  # la consulta lleva cada tangente a 1, y lo que se suma es muy negativo
            weights["query_proj.weight"], query = torch.ones(sizes[2], sizes[0]), query.abs() + 1
            weights["score_proj.weight"] = torch.full((1, sizes[2]), -LOW / sizes[2])
        return dict(zip(names, sizes, strict=True)), weights, query, states, mask

    return make


ATTENTION = Step(
    Card(
        "tr-atencion", "La atención aditiva", "codigo", 2, 25, 3,
        "repartir la mirada entre lo leído, sin mirar el relleno",
        (
            "Tres `nn.Linear` sin sesgo. `prepare` es `key_proj`, y no hace falta nada más.",
            "`self.query_proj(query)[:, None] + keys` es (B, S, A): la consulta se suma a cada "
            "clave. Tras la tangente, `score_proj` deja un número por lugar: quítale el eje que "
            "sobra.",
            "Donde la máscara es falsa, −∞ antes del softmax, por el eje de la entrada. Lo que se "
            "mezcla son los estados, no las claves.",
        ),
    ),
    Task(
        "AdditiveAttention",
        (
            Case("3 consultas a 5 lugares, con relleno", _attention_case(3, 5, (4, 6, 3), 540)),
            Case("otros tamaños", _attention_case(2, 3, (5, 2, 7), 544)),
            Case("puntuaciones muy bajas: el relleno no pesa",
                 _attention_case(3, 4, (4, 3, 5), 547, low=True)),
        ),
        lambda sizes, weights, query, states, mask: _attend(sizes, weights, query, states, mask),
        (
            Mistake("mascara", "la máscara no se respeta: donde es falsa, el puntaje es −∞ antes "
                    "del softmax", with_flaw(_attend, "sin-mascara", "negada", "tapa-despues")),
            Mistake("tapado-con-un-numero", "tapas con un número, y si las demás puntuaciones son "
                    "aún más bajas, lo tapado pesa: pon −∞",
                    with_flaw(_attend, *FILLS)),
            Mistake("sin-tanh", "falta la tangente hiperbólica entre la suma y `score_proj`",
                    with_flaw(_attend, "sin-tanh")),
            Mistake("multiplica", "la consulta se suma a las claves; tú las multiplicas",
                    with_flaw(_attend, "multiplica")),
            Mistake("softmax-eje", "el softmax reparte entre los lugares de la entrada, y no entre "
                    "las frases del lote", with_flaw(_attend, "eje")),
            Mistake("sigmoide", "los pesos de cada frase suman 1: es un softmax y no una sigmoide",
                    with_flaw(_attend, "sigmoide")),
            Mistake("mezcla-claves", "el contexto es la mezcla de los estados; tú mezclas las "
                    "claves", with_flaw(_attend, "mezcla-claves")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="atencion-aditiva",
)  # fmt: skip


def _decode(sizes, weights, token, summary, states, mask, flaw: str = "") -> dict[str, Tensor]:
    h = sums.start(summary, weights, flaw)
    found = {"estado inicial": h}
    for turn, row in enumerate(token.unbind(1), start=1):
        logits, h, seen = sums.step(row, h, states, mask, weights, flaw)
        found |= {f"logits {turn}": logits, f"estado {turn}": h, f"pesos {turn}": seen}
    return found


def _decoder_case(batch: int, length: int, sizes: tuple[int, int, int], seed: int) -> Callable:
    names = ("n_tokens", "d_embedding", "d_hidden")

    def make() -> tuple:
        memory = 2 * sizes[2]
        summary, states = random_tensors((batch, memory), (batch, length, memory), seed=seed + 1)
        mask = drawn_source(batch, length, 9, seed=seed + 2) != PAD
        token = drawn_tokens(batch, 2, n_tokens=sizes[0], seed=seed + 3)
        weights = drawn_weights(decoder_shapes(*sizes), seed)
        return dict(zip(names, sizes, strict=True)), weights, token, summary, states, mask

    return make


DECODER = Step(
    Card(
        "tr-decodificador", "El paso del decodificador", "codigo", 2, 30, 3,
        "escribir un token mirando la entrada",
        (
            "El orden de `step`: mirar con `h`, avanzar con `cell` y dar los logits.",
            "A la celda le entran el embedding y el contexto, por ese orden; a `output`, el estado "
            "**nuevo** y el mismo contexto.",
        ),
    ),
    Task(
        "Decoder",
        (
            Case("3 frases y 2 tokens seguidos", _decoder_case(3, 5, (8, 4, 3), seed=550)),
            Case("otros tamaños", _decoder_case(2, 3, (6, 3, 5), seed=555)),
        ),
        lambda sizes, weights, token, summary, states, mask: _decode(
            sizes, weights, token, summary, states, mask
        ),
        (
            Mistake("inicio", "el estado inicial es la tangente de `start_proj(summary)`",
                    with_flaw(_decode, "inicio-sin-tanh")),
            Mistake("sin-mascara", "no le pasas la máscara a la atención: se mira el relleno",
                    with_flaw(_decode, "sin-mascara")),
            Mistake("estado-viejo", "los logits salen del estado nuevo, el que da la celda",
                    with_flaw(_decode, "estado-viejo")),
            Mistake("no-avanza", "devuelve el estado nuevo: tú devuelves el que llegó",
                    with_flaw(_decode, "no-avanza")),
            Mistake("mira-otra-vez", "se mira una sola vez, con el estado anterior: el contexto de "
                    "los logits es el mismo que entró en la celda",
                    with_flaw(_decode, "mira-otra-vez")),
            Mistake("orden", "al juntar, primero va el embedding y después el contexto; en la "
                    "salida, primero el estado y después el contexto",
                    with_flaw(_decode, "entrada-al-reves", "salida-al-reves")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="decodificador", needs=(GRU, ATTENTION),
)  # fmt: skip


def _model(sizes: dict, weights: dict, source: Tensor, target: Tensor, flaw: str = "") -> dict:
    return sums.model(source, target, weights, flaw)


def _model_case(batch: int, lengths: tuple[int, int], sizes: dict[str, int], seed: int):
    """Un modelo al azar, unas entradas con relleno y unas salidas."""

    def make() -> tuple:
        weights = drawn_weights(model_shapes(*sizes.values()), seed)
        source = drawn_source(batch, lengths[0], sizes["n_source"], seed=seed + 1)
        target = 3 + drawn_tokens(batch, lengths[1], n_tokens=sizes["n_target"] - 3, seed=seed + 2)
        target[:, 0] = START
        return sizes, weights, source, target

    return make


def _sizes(n_source: int, n_target: int, d_embedding: int, d_hidden: int) -> dict[str, int]:
    """Lo que recibe `Translator` al crearse."""
    return {
        "n_source": n_source, "n_target": n_target, "d_embedding": d_embedding,
        "d_hidden": d_hidden,
    }  # fmt: skip


def _course_case() -> tuple:
    sizes, weights = course_weights()
    source = drawn_source(3, 14, sizes["n_source"], seed=572)
    target = 3 + drawn_tokens(3, 5, n_tokens=sizes["n_target"] - 3, seed=573)
    return sizes, weights, source, torch.cat([torch.full((3, 1), START), target], dim=1)


def _only_forward(flaw: str, *given: object) -> dict[str, Tensor]:
    """`step` va bien y es `forward` el que se equivoca."""
    right, wrong = _model(*given), _model(*given, flaw)
    return right | {"logits de forward": wrong["logits de forward"]}


def _own_reading(*given: object) -> dict[str, Tensor]:
    return _only_forward("sin-profesor", *given)


def _standing_still(*given: object) -> dict[str, Tensor]:
    return _only_forward("no-avanza", *given)


MODEL = Step(
    Card(
        "tr-modelo", "El modelo y el forzado del profesor", "codigo", 2, 30, 3,
        "unir las dos redes y darles la salida correcta al aprender",
        (
            "La memoria son tres cosas, por este orden: las claves, los estados y la máscara. Así "
            "`step` es `self.decoder.step(token, h, *memory)`.",
            "`forward` es un bucle por las columnas de `target`: lee la correcta, guarda los "
            "logits y pasa el estado al paso siguiente.",
        ),
    ),
    Task(
        "Translator",
        (
            Case("3 frases", _model_case(3, (6, 4), _sizes(11, 9, 4, 3), seed=560)),
            Case("2 frases y otros tamaños", _model_case(2, (3, 5), _sizes(8, 7, 3, 5), seed=564)),
            Case("los pesos de `fechas`, los del curso", _course_case),
        ),
        lambda sizes, weights, source, target: _model(sizes, weights, source, target),
        (
            Mistake("sin-profesor", "al escribir lees tu propia predicción: con el forzado del "
                    "profesor se lee el token de `target`",
                    (_own_reading,)),
            Mistake("no-avanza", "cada token empieza otra vez desde el estado inicial: pasa el "
                    "estado de un paso al siguiente", (_standing_still,)),
            Mistake("empieza-en-cero", "el estado inicial es `decoder.start(summary)`, y no ceros",
                    with_flaw(_model, "empieza-en-cero")),
            Mistake("memoria", "la memoria va por este orden: las claves, los estados y la máscara",
                    with_flaw(_model, "memoria")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_model, "probabilidades")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="traductor-recurrente", needs=(ENCODER, DECODER, ATTENTION, GRU, UNROLL),
)  # fmt: skip
