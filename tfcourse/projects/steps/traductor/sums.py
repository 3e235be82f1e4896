"""Las cuentas del traductor con atención, fila a fila: lo que se espera de cada pieza.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.projects.steps.drawing import FILLS, PAD, inside

Weights = dict[str, Tensor]


def gru(x: Tensor, h: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Un paso de la celda GRU, compuerta a compuerta."""
    own = {name: value.chunk(3) for name, value in w.items()}
    places = (1, 0, 2) if flaw == "orden" else (0, 1, 2)

    def read(place: int) -> Tensor:
        weight, bias = own["input_proj.weight"][place], own["input_proj.bias"][place]
        return torch.einsum("bd,hd->bh", x, weight) + bias

    def recall(place: int, state: Tensor) -> Tensor:
        weight, bias = own["hidden_proj.weight"][place], own["hidden_proj.bias"][place]
        return torch.einsum("bd,hd->bh", state, weight) + bias

    reset, update = (1 / (1 + torch.exp(-(read(n) + recall(n, h)))) for n in places[:2])
    if flaw == "reinicio-antes":
        inner = read(2) + recall(2, reset * h)
    elif flaw == "sin-reinicio":
        inner = read(2) + recall(2, h)
    elif flaw == "reinicia-todo":
        inner = reset * (read(2) + recall(2, h))
    else:
        inner = read(2) + reset * recall(2, h)
    new = {"sin-tanh": inner, "sigmoide": inner.sigmoid()}.get(flaw, torch.tanh(inner))
    if flaw == "al-reves":
        update = 1 - update
    return (1 - update) * new if flaw == "olvida" else (1 - update) * new + update * h


def unroll(
    cell: Callable, x: Tensor, mask: Tensor, h: Tensor, backwards: bool, flaw: str = ""
) -> tuple[Tensor, Tensor]:
    """Los estados de leer cada fila por separado, sin su relleno, y el último."""
    if flaw == "no-vuelve":
        backwards = False
    every, last = [], []
    for row, own, start in zip(x, mask.tolist(), h, strict=True):
        length = len(own) if flaw == "lee-el-relleno" else sum(own)
        state, found = start, torch.zeros(len(own), len(start))
        places = range(length)[::-1] if backwards else range(length)
        for turn, place in enumerate(places):
            state = cell(row[None, place], state[None])[0]
            kept = {"sin-ordenar": turn, "lista-al-revés": len(own) - 1 - place}
            found[kept.get(flaw, place) if backwards else place] = state
        if flaw == "sin-ceros":
            found[length:] = start if backwards else state
        every.append(found)
        last.append(found[-1] if flaw == "ultima-columna" else state)
    return torch.stack(every), torch.stack(last)


def encoder(source: Tensor, w: Weights, flaw: str = "") -> dict[str, Tensor]:
    """Los estados de las dos direcciones, el resumen y la máscara."""
    mask, x = source != PAD, w["embedding.weight"][source]
    seen = torch.ones_like(mask) if flaw == "sin-mascara" else mask
    start = torch.zeros(len(x), w["ahead.hidden_proj.weight"].shape[1])
    cells = [inside(w, "ahead"), inside(w, "ahead" if flaw == "una-celda" else "back")]
    halves = [
        unroll(lambda x, h, own=own: gru(x, h, own), x, seen, start, turned)
        for own, turned in zip(cells, (False, flaw != "dos-veces-adelante"), strict=True)
    ]
    if flaw == "orden":
        halves = halves[::-1]
    states = torch.cat([half[0] for half in halves], -1)
    summary = torch.cat([half[1] for half in halves], -1)
    if flaw == "resumen":
        summary = states[:, -1]
    return {"estados": states, "resumen": summary, "máscara": ~mask if flaw == "negada" else mask}


def attention(
    query: Tensor, states: Tensor, mask: Tensor, w: Weights, flaw: str = ""
) -> dict[str, Tensor]:
    """Las claves, el contexto y los pesos de la atención aditiva."""
    keys = states @ w["key_proj.weight"].T
    asked = query @ w["query_proj.weight"].T
    inner = asked[:, None] * keys if flaw == "multiplica" else asked[:, None] + keys
    scores = (inner if flaw == "sin-tanh" else torch.tanh(inner)) @ w["score_proj.weight"][0]
    if flaw == "sigmoide":
        weights = scores.sigmoid() * mask
    elif flaw == "tapa-despues":
        weights = scores.softmax(1) * mask
    elif flaw == "sin-mascara":
        weights = scores.softmax(1)
    else:
        hidden = mask if flaw == "negada" else ~mask
        number = FILLS.get(flaw, -math.inf)
        weights = scores.masked_fill(hidden, number).softmax(0 if flaw == "eje" else 1)
    context = torch.einsum("bs,bsd->bd", weights, keys if flaw == "mezcla-claves" else states)
    return {"claves": keys, "contexto": context, "pesos": weights}


def start(summary: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """El estado con el que se empieza a escribir."""
    first = summary @ w["start_proj.weight"].T + w["start_proj.bias"]
    return first if flaw == "inicio-sin-tanh" else torch.tanh(first)


def step(
    token: Tensor, h: Tensor, states: Tensor, mask: Tensor, w: Weights, flaw: str = ""
) -> tuple[Tensor, Tensor, Tensor]:
    """Los logits, el estado nuevo y los pesos de escribir un token."""
    own = inside(w, "attention")
    seen = attention(h, states, torch.ones_like(mask) if flaw == "sin-mascara" else mask, own)
    context, embedded = seen["contexto"], w["embedding.weight"][token]
    parts = [context, embedded] if flaw == "entrada-al-reves" else [embedded, context]
    new = gru(torch.cat(parts, -1), h, inside(w, "cell"))
    if flaw == "mira-otra-vez":
        context = attention(new, states, mask, own)["contexto"]
    told = [h if flaw == "estado-viejo" else new, context]
    told = told[::-1] if flaw == "salida-al-reves" else told
    logits = torch.cat(told, -1) @ w["output.weight"].T + w["output.bias"]
    return logits, h if flaw == "no-avanza" else new, seen["pesos"]


def model(source: Tensor, target: Tensor, w: Weights, flaw: str = "") -> dict[str, Tensor]:
    """Lo que se lee, lo que se escribe con profesor y lo que se mira al escribirlo."""
    own, read = inside(w, "decoder"), encoder(source, inside(w, "encoder"))
    first = start(read["resumen"], own)
    h = first = torch.zeros_like(first) if flaw == "empieza-en-cero" else first
    token, logits, weights = target[:, 0], [], []
    for n in range(target.shape[1]):
        token = token if flaw == "sin-profesor" else target[:, n]
        row, new, seen = step(token, h, read["estados"], read["máscara"], own)
        h, token = first if flaw == "no-avanza" else new, row.argmax(-1)
        logits.append(row)
        weights.append(seen)
    found = torch.stack(logits, 1)
    memory = attention(first, read["estados"], read["máscara"], inside(own, "attention"))
    kept = (memory["claves"], read["estados"])
    keys, states = kept[::-1] if flaw == "memoria" else kept
    return {
        "estado inicial": first, "claves": keys, "estados": states, "máscara": read["máscara"],
        "logits de step": found, "pesos de step": torch.stack(weights, 1),
        "logits de forward": found.softmax(-1) if flaw == "probabilidades" else found,
    }  # fmt: skip


def masked_loss(logits: Tensor, target: Tensor, flaw: str = "") -> Tensor:
    """La entropía cruzada media de los tokens que no son relleno."""
    each = torch.logsumexp(logits, -1) - logits.gather(-1, target[..., None])[..., 0]
    real = target != PAD
    if flaw == "cuenta-el-relleno":
        return each.mean()
    if flaw == "divide-entre-todos":
        return (each * real).mean()
    if flaw == "por-frase":
        return ((each * real).sum(1) / real.sum(1)).mean()
    total = (each * real).sum()
    if flaw == "base-dos":
        total = total / math.log(2)
    return total if flaw == "suma" else total / real.sum()
