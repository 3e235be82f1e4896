"""Escribir: sortear y no leer dos veces lo mismo."""

import itertools
import math
from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_tokens, drawn_weights, inside, with_flaw
from tfcourse.projects.steps.gpt import maths
from tfcourse.projects.steps.gpt.shapes import model_shapes, model_sizes
from tfcourse.projects.steps.piece import Step

SHARES = (0.40, 0.25, 0.15, 0.10, 0.06, 0.04)


def chances(logits: Tensor, temperature: float, top_p: float, flaw: str = "") -> Tensor:
    """Con qué probabilidad debe salir cada token: temperatura y, después, el núcleo."""
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    if flaw == "multiplica":
        temperature = 1 / temperature
    cut = logits if flaw == "recorta-antes" else logits / temperature
    found = []
    for own, row in zip(logits / temperature, cut.softmax(-1), strict=True):
        order = sorted(range(len(row)), key=lambda i: -row[i])
        sums = [0.0, *itertools.accumulate(float(row[i]) for i in order)]
        if flaw == "sin-el-que-cruza":
            kept = [i for n, i in enumerate(order) if sums[n + 1] <= top_p] or order[:1]
        elif flaw == "uno-de-mas":
            kept = order[: sum(s < top_p for s in sums[:-1]) + 1]
        elif flaw == "al-reves":
            tail = [0.0, *itertools.accumulate(float(row[i]) for i in order[::-1])]
            kept = [i for n, i in enumerate(order[::-1]) if tail[n] < top_p]
        else:
            kept = [i for n, i in enumerate(order) if sums[n] < top_p]
        if flaw == "sin-nucleo":
            kept = order
        if flaw == "el-mayor":
            kept = order[:1]
        mask = torch.full_like(own, -torch.inf).index_fill(0, torch.tensor(kept), 0.0)
        found.append(torch.zeros_like(own).index_fill(0, torch.tensor(kept), 1 / len(kept))
                     if flaw == "todos-iguales" else (own + mask).softmax(-1))  # fmt: skip
    return torch.stack(found)


def _sampled(logits, temperature, top_p, seed, flaw: str = "") -> dict[str, Tensor]:
    found = chances(logits, temperature, top_p, flaw)
    if flaw == "lugares" and temperature:
        found = found.sort(-1, descending=True).values
    only_one = bool(((found > 0).sum(-1) == 1).all())  # sin nada que sortear
    repeats = flaw != "sin-semilla" or only_one
    return {
        "frecuencias": found,
        "los que salen alguna vez": (found > 0).float(),
        "con la misma semilla sale lo mismo": int(repeats),
    }


def _sampler_case(rows: int, temperature: float, top_p: float, seed: int) -> Callable:
    def make() -> tuple:
        generator = chance(seed)
        drawn = [generator.sample(SHARES, len(SHARES)) for _ in range(rows)]
        return torch.tensor(drawn).log() + 1.5, temperature, top_p, seed

    return make


def _just_half() -> tuple:
    """Probabilidades 0,5, 0,25 y 0,25, que en coma flotante son esas exactamente."""
    order = chance(135).sample((math.log(2), 0.0, 0.0), 3)
    return torch.tensor([order]), 1.0, 0.5, 135


SAMPLER = Step(
    Card(
        "gpt-sorteo", "El sorteo", "codigo", 2, 30, 4,
        "sortear un token con temperatura y con el núcleo",
        (
            "Primero `logits / temperature`. Con temperatura 0 no se puede dividir: es `argmax`.",
            "Ordena las probabilidades de mayor a menor y haz su suma acumulada: se queda un "
            "token si "
            "lo acumulado **antes** de él es menor que `top_p`.",
            "`torch.multinomial(p, 1, generator=generator)` sortea por filas y no pide que sumen "
            "1. Si "
            "sorteas lugares del orden, `order.gather(-1, lugares)` dice de qué token son.",
        ),
    ),
    Task(
        "choose",
        (
            Case("temperatura 1 y núcleo de 0,7", _sampler_case(1, 1.0, 0.7, seed=130)),
            Case("temperatura 1,5 y núcleo de 0,9, con 2 textos",
                    _sampler_case(2, 1.5, 0.9, seed=131)),
            Case("temperatura 0,5 y sin recorte", _sampler_case(2, 0.5, 1.0, seed=132)),
            Case("temperatura 0,5 y un núcleo de 0,3", _sampler_case(1, 0.5, 0.3, seed=133)),
            Case("temperatura 0", _sampler_case(2, 0.0, 0.9, seed=134)),
            Case("con el primero se llega justo a 0,5", _just_half),
        ),
        lambda logits, temperature, top_p, seed: _sampled(logits, temperature, top_p, seed),
        (
            Mistake("falta-el-que-cruza", "tu núcleo deja fuera al token con el que se llega a "
                    "`top_p`: "
                    "se queda", with_flaw(_sampled, "sin-el-que-cruza")),
            Mistake("uno-de-mas", "tu núcleo se queda con un token de más: con los anteriores ya "
                    "se "
                    "llegaba a `top_p`", with_flaw(_sampled, "uno-de-mas")),
            Mistake("recorta-antes", "recortas antes de aplicar la temperatura: el núcleo se "
                    "mide en la "
                    "distribución ya templada", with_flaw(_sampled, "recorta-antes")),
            Mistake("temperatura", "la temperatura divide a los logits: tú los multiplicas",
                    with_flaw(_sampled, "multiplica")),
            Mistake("sin-nucleo", "`top_p` no recorta: siguen saliendo los tokens improbables",
                    with_flaw(_sampled, "sin-nucleo")),
            Mistake("al-reves", "te quedas con los tokens improbables: ordena de mayor a menor",
                    with_flaw(_sampled, "al-reves")),
            Mistake("lugares", "devuelves el lugar en el orden y no el token que está en él: "
                    "`order.gather(-1, lugares)`", with_flaw(_sampled, "lugares")),
            Mistake("todos-iguales", "todos los del núcleo salen lo mismo: se sortean con sus "
                    "probabilidades", with_flaw(_sampled, "todos-iguales")),
            Mistake("sin-semilla", "el sorteo no usa `generator`: con la misma semilla debe salir "
                    "lo mismo",
                    with_flaw(_sampled, "sin-semilla")),
            Mistake("el-mayor", "sale siempre el más probable: eso es lo que se pide solo con "
                    "temperatura 0", with_flaw(_sampled, "el-mayor")),
        ),
        tolerance=0.02, differentiable=False,
    ),
    driver="sorteo",
)  # fmt: skip


def _cached(sizes: dict, weights: dict, tokens: Tensor, first: int, flaw: str = "") -> dict:
    whole = _read(tokens, weights, sizes["n_heads"], first, flaw)
    other = maths.model(tokens[:, :first], weights, sizes["n_heads"])["logits"]
    length = tokens.shape[1]
    if flaw == "compartida":
        both = torch.cat([tokens, tokens[:, :first]], dim=1)
        other = maths.model(both, weights, sizes["n_heads"])["logits"][:, length:]
    relead = first + sum(range(first + 1, length + 1))
    return {
        "logits del comienzo": whole[:, :first], "logits de lo demás": whole[:, first:],
        "posiciones que lee el modelo": relead if flaw == "relee" else length,
        "logits de otra escritura": other,
    }  # fmt: skip


def _read(tokens: Tensor, weights: dict, n_heads: int, first: int, flaw: str) -> Tensor:
    """Los logits de leer el comienzo y, después, uno a uno; con caché o con su error."""

    def whole(x):
        return maths.model(x, weights, n_heads)["logits"]

    if flaw == "olvida":
        pieces = [tokens[:, :first], *tokens[:, first:].split(1, dim=1)]
        return torch.cat([whole(piece) for piece in pieces], dim=1)
    if flaw not in ("sin-start", "solo-el-comienzo"):
        return whole(tokens)
    x = weights["embedding.weight"][tokens]
    n_layers = sum(name.endswith("norm1.gain") for name in weights)
    for depth in range(n_layers):
        x = _broken_block(x, inside(weights, f"blocks.{depth}"), n_heads, first, flaw)
    return maths.norm(x, weights["closing_norm.gain"]) @ weights["embedding.weight"].T


def _broken_block(x: Tensor, w: dict, n_heads: int, first: int, flaw: str) -> Tensor:
    own, y = inside(w, "attention"), maths.norm(x, w["norm1.gain"])
    pieces, keys, values = [], [], []
    for start, end in [(0, first), *((i, i + 1) for i in range(first, x.shape[1]))]:
        q, k, v = maths.heads(y[:, start:end], own, n_heads, 0 if flaw == "sin-start" else start)
        if flaw == "solo-el-comienzo" and start:
            seen_k, seen_v = torch.cat([keys[0], k], 2), torch.cat([values[0], v], 2)
        else:
            keys, values = [*keys, k], [*values, v]
            seen_k, seen_v = torch.cat(keys, 2), torch.cat(values, 2)
        pieces.append(maths.mix(q, seen_k, seen_v, own))
    x = x + torch.cat(pieces, dim=1)
    return x + maths.feed_forward(maths.norm(x, w["norm2.gain"]), inside(w, "feed_forward"))


def _cache_case(
    length: int, first: int, sizes: dict[str, int], seed: int, batch: int = 1
) -> Callable:
    def make() -> tuple:
        shapes = model_shapes(sizes["n_tokens"], sizes["d_model"], sizes["n_layers"])
        tokens = drawn_tokens(batch, length, n_tokens=sizes["n_tokens"], seed=seed)
        return sizes, drawn_weights(shapes, seed + 1), tokens, first

    return make


CACHE = Step(
    Card(
        "gpt-cache", "La caché", "codigo", 3, 40, 5,
        "escribir sin volver a leer lo ya leído",
        (
            "Por cada bloque se guardan las claves y los valores, ya girados: en una lista de "
            "pares, "
            "que empieza vacía **en cada** `Writer`.",
            "Rehaz el camino del modelo: `block.norm1`, `block.attention.heads(y, self.length)`, "
            "juntar "
            "con lo guardado por el eje de las posiciones (`dim=2`), `block.attention.mix`…",
            "`self.length` cuenta lo leído y crece una vez por llamada, al final, y no una por "
            "bloque.",
        ),
    ),
    Task(
        "Writer",
        (
            Case("2 bloques: un comienzo de 4 tokens y otros 3, uno a uno",
                 _cache_case(7, 4, model_sizes(9, 8, 2, 2), seed=140)),
            Case("2 textos a la vez, con un comienzo de un token",
                 _cache_case(4, 1, model_sizes(6, 12, 3, 1), seed=150, batch=2)),
        ),
        lambda sizes, weights, tokens, first: _cached(sizes, weights, tokens, first),
        (
            Mistake("relee", "los logits son los buenos, pero el modelo vuelve a leer todo el "
                    "texto en "
                    "cada llamada: guarda claves y valores y lee solo lo nuevo",
                    with_flaw(_cached, "relee")),
            Mistake("olvida", "cada llamada olvida las anteriores: junta lo guardado con lo nuevo",
                    with_flaw(_cached, "olvida")),
            Mistake("start", "giras lo nuevo como si el texto empezara ahí: a `heads` se le dice "
                    "en qué "
                    "posición va", with_flaw(_cached, "sin-start")),
            Mistake("solo-el-comienzo", "guardas lo del comienzo y no lo que se lee después: cada "
                    "llamada amplía la caché", with_flaw(_cached, "solo-el-comienzo")),
            Mistake("compartida", "dos escrituras comparten la caché: créala en `__init__`, no "
                    "como "
                    "atributo de la clase ni como valor por omisión",
                    with_flaw(_cached, "compartida")),
        ),
        tolerance=2e-4, differentiable=False,
    ),
    driver="escritor",
)  # fmt: skip
