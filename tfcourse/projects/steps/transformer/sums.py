"""Las cuentas del Transformer, de funciones sueltas: lo que se espera de cada pieza.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from tfcourse.projects.steps.drawing import FILLS, PAD, START, STOP, inside

Weights = dict[str, Tensor]


def norm(x: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Norma de capa, con ε = 1e-5 y la varianza que divide entre D."""
    n, dim = x.shape[-1], 1 if flaw == "eje" else -1
    centered = x if flaw == "sin-media" else x - x.mean(dim, keepdim=True)
    variance = centered.pow(2).mean(dim, keepdim=True)
    if flaw == "entre-n-1":
        variance = variance * n / (n - 1)
    if flaw == "sin-raiz":
        return centered / (variance + 1e-5) * w["gain"] + w["bias"]
    root = {
        "epsilon": variance.sqrt() + 1e-5, "epsilon-ausente": variance.sqrt(),
        "epsilon-otro": (variance + 1e-6).sqrt(),
    }  # fmt: skip
    y = centered / root.get(flaw, (variance + 1e-5).sqrt())
    if flaw == "sin-ganancia":
        return y + w["bias"]
    return y * w["gain"] if flaw == "sin-sesgo" else y * w["gain"] + w["bias"]


def positions(length: int, d_model: int, flaw: str = "") -> Tensor:
    """Senos en las componentes pares y cosenos en las impares."""
    rows = []
    for m in range(length):
        m += flaw == "desde-uno"
        row = []
        for i in range(d_model // 2):
            power = i / d_model if flaw == "paso" else 2 * i / d_model
            angle = m / 10_000**power
            pair = [math.cos(angle), math.sin(angle)] if flaw == "al-reves" else None
            row += pair or [math.sin(angle), math.cos(angle)]
        rows.append(row[0::2] + row[1::2] if flaw == "mitades" else row)
    return torch.tensor(rows)


def masks(source: Tensor, length: int, flaw: str = "") -> tuple[Tensor, Tensor]:
    """Máscara de relleno de la entrada y causal de la salida: cierto, si se puede mirar."""
    real = (source > PAD)[:, None, None, :]
    past = torch.arange(length)[:, None] >= torch.arange(length)[None, :]
    if flaw == "estricta":
        past = torch.arange(length)[:, None] > torch.arange(length)[None, :]
    if flaw == "futuro":
        past = past.T
    if flaw == "negada":
        real, past = ~real, ~past
    if flaw == "por-consultas":
        real = real.transpose(-1, -2)
    return real, past[None, None]


def attention(
    x: Tensor, memory: Tensor, w: Weights, n_heads: int, mask: Tensor | None, flaw: str = ""
) -> Tensor:
    """Atención multicabeza de `x` a `memory`."""
    if flaw == "cruzada":
        x, memory = memory, x
    parts = []
    for name, values in (("q", x), ("k", memory), ("v", x if flaw == "valores" else memory)):
        y = F.linear(values, w[f"{name}_proj.weight"], w[f"{name}_proj.bias"])
        if flaw == "reparto":
            parts.append(y.reshape(len(y), n_heads, y.shape[1], -1))
        else:
            parts.append(torch.stack(y.chunk(n_heads, -1), 1))
    q, k, v = parts
    size = x.shape[-1] if flaw == "escala-modelo" else q.shape[-1]
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores if flaw == "sin-escala" else scores / math.sqrt(size)
    if mask is not None and flaw == "tapa-despues":
        weights = scores.softmax(-1) * mask
    else:
        if mask is not None and flaw != "sin-mascara":
            hidden = mask if flaw == "negada" else ~mask
            number = FILLS.get(flaw, -torch.inf)
            scores = scores.masked_fill(hidden, number)
        weights = scores.softmax(2 if flaw == "eje" else -1)
    mixed = torch.einsum("bhqk,bhkd->bhqd", weights, v)
    joined = torch.cat([*mixed.unbind(1)], -1)
    if flaw == "junta-mal":
        joined = mixed.reshape(joined.shape)
    if flaw == "sin-salida":
        return joined
    return F.linear(joined, w["out_proj.weight"], w["out_proj.bias"])


def feed_forward(x: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Red por posición con ReLU."""
    h = F.linear(x, w["hidden.weight"], w["hidden.bias"])
    h = {"gelu": F.gelu(h), "lineal": h}.get(flaw, h.clamp(min=0))
    y = F.linear(h, w["output.weight"], w["output.bias"])
    if flaw == "relu-final":
        return y.clamp(min=0)
    return y + x if flaw == "residuo" else y


def encoder_block(x: Tensor, mask: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Bloque del codificador, con la norma delante."""
    own, network = inside(w, "attention"), inside(w, "feed_forward")
    first, second = inside(w, "norm1"), inside(w, "norm2")
    if flaw == "sin-mascara":
        mask = None
    if flaw == "detras":
        x = norm(x + attention(x, x, own, n_heads, mask), first)
        return norm(x + feed_forward(x, network), second)
    y = norm(x, first)
    seen = x if flaw == "claves-sin-norma" else y
    z = attention(y, seen, own, n_heads, mask)
    x = z if flaw == "sin-residuo" else y + z if flaw == "residuo-normado" else x + z
    z = feed_forward(norm(x, first if flaw == "una-norma" else second), network)
    return z if flaw == "sin-residuo" else x + z


def decoder_block(
    x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor, w: Weights, n_heads: int,
    flaw: str = "",
) -> Tensor:  # fmt: skip
    """Bloque del decodificador: a sí mismo, a la memoria y la red."""
    own, cross = inside(w, "attention"), inside(w, "cross_attention")
    norms = [inside(w, f"norm{n}") for n in (1, 2, 3)]
    if flaw == "sin-causal":
        mask = None
    if flaw == "memoria-con-relleno":
        memory_mask = None

    def look_inside(x: Tensor) -> Tensor:
        y = norm(x, norms[0])
        return x + attention(y, y, own, n_heads, mask)

    def look_outside(x: Tensor) -> Tensor:
        y = norm(x, norms[1])
        seen = norm(memory, norms[1]) if flaw == "memoria-normada" else memory
        if flaw == "se-mira-dos-veces":
            return x + attention(y, y, cross, n_heads, mask)
        z = attention(y, seen, cross, n_heads, memory_mask)
        return z if flaw == "sin-residuo" else x + z

    x = look_inside(look_outside(x)) if flaw == "orden" else look_outside(look_inside(x))
    return x + feed_forward(norm(x, norms[2]), inside(w, "feed_forward"))


def model(
    source: Tensor, target: Tensor, w: Weights, n_heads: int, flaw: str = ""
) -> dict[str, Tensor]:
    """El Transformer, piso a piso, y sus logits."""
    table = w["embedding.weight"]
    d_model = table.shape[-1]

    def embed(tokens: Tensor) -> Tensor:
        x = table[tokens] * (1.0 if flaw == "sin-escala" else math.sqrt(d_model))
        return x if flaw == "sin-posiciones" else x + positions(tokens.shape[1], d_model)

    real, past = masks(source, target.shape[1])
    x = embed(source)
    for depth in range(_depth(w, "encoder")):
        x = encoder_block(x, real, inside(w, f"encoder.{depth}"), n_heads)
    memory = x if flaw == "memoria-sin-norma" else norm(x, inside(w, "encoder_norm"))
    x = embed(target)
    for depth in range(_depth(w, "decoder")):
        x = decoder_block(x, memory, past, real, inside(w, f"decoder.{depth}"), n_heads)
    states = x if flaw == "sin-norma-final" else norm(x, inside(w, "decoder_norm"))
    logits = states @ table.T
    logits = logits.softmax(-1) if flaw == "probabilidades" else logits
    return {"memoria": memory, "logits de decode": logits, "logits de forward": logits}


def _depth(w: Weights, name: str) -> int:
    return 1 + max(int(key.split(".")[1]) for key in w if key.startswith(f"{name}."))


def smoothed(logits: Tensor, target: Tensor, smoothing: float, flaw: str = "") -> Tensor:
    """Entropía cruzada con las etiquetas suavizadas, sin contar el relleno."""
    n_tokens = logits.shape[-1]
    wanted = F.one_hot(target, n_tokens).to(logits.dtype)
    share = smoothing / (n_tokens - 1 if flaw == "entre-los-demas" else n_tokens)
    if flaw == "entre-los-demas":
        wanted = torch.where(wanted > 0, 1 - smoothing, share)
    elif flaw != "sin-suavizar":
        wanted = (1 - smoothing) * wanted + share
    if flaw == "sin-quitar":
        wanted = F.one_hot(target, n_tokens).to(logits.dtype) + share
    each = -(wanted * logits.log_softmax(-1)).sum(-1)
    kept = target != PAD
    if flaw == "cuenta-el-relleno":
        return each.mean()
    if flaw == "divide-entre-todos":
        return (each * kept).mean()
    total = (each * kept).sum()
    return total if flaw == "suma" else total / kept.sum()


def rate(step: int, d_model: int, warmup: int, flaw: str = "") -> float:
    """El ritmo del artículo: sube en línea recta y baja con la raíz del paso."""
    step = step + 1 if flaw == "desde-cero" else step
    up, down = step * warmup**-1.5, step**-0.5
    if flaw == "maximo":
        return d_model**-0.5 * max(up, down)
    if flaw == "sin-subir":
        return d_model**-0.5 * down
    if flaw == "sin-bajar":
        return d_model**-0.5 * min(up, warmup**-0.5)
    return (d_model**0.5 if flaw == "crece-con-d" else d_model**-0.5) * min(up, down)


def greedy(
    table: Tensor, stops: Tensor, source: Tensor, limit: int, flaw: str = ""
) -> dict[str, object]:
    """La traducción voraz de cada fila, por separado, con el modelo de guion."""
    found, longest = [], limit if flaw == "sigue" else 1
    for row, stop in zip(source.tolist(), stops.tolist(), strict=True):
        written, last = [], STOP if flaw == "empieza-con-fin" else START
        for t in range(limit):
            place = 0 if flaw == "la-primera" else t
            logits = table[
                (sum(row) + 7 * place + 3 * (START if place == 0 else last)) % len(table)
            ]
            logits = [-50.0 if n == STOP else float(value) for n, value in enumerate(logits)]
            if place == stop:
                logits[STOP] = 50.0
            last = max(range(len(logits)), key=logits.__getitem__)
            longest = max(longest, 1 if flaw == "solo-uno" else t + 1)
            if last == STOP and flaw != "no-para":
                break
            written.append(last)
        if flaw == "con-inicio":
            written = [START, *written]
        if flaw == "con-fin" and last == STOP:
            written = [*written, STOP]
        found.append(written[:1] if flaw == "solo-uno" else written)
    return {
        "traducciones": found, "veces que se lee la entrada": longest if flaw == "relee" else 1,
        "tokens que llega a leer `decode`": longest,
    }  # fmt: skip
