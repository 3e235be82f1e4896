"""Las cuentas de las dos torres de CLIP, de funciones sueltas.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from tfcourse.projects.steps.drawing import FILLS, inside

Weights = dict[str, Tensor]


def _conv(x: Tensor, kernel: Tensor) -> Tensor:
    """Convolución de 3 × 3 con relleno: un producto por cada ventana."""
    windows = F.unfold(x, 3, padding=1)
    return (kernel.flatten(1) @ windows).unflatten(2, x.shape[2:])


def _batch_norm(x: Tensor, w: Weights, seen: tuple[Tensor, Tensor] | None) -> Tensor:
    """Con la media y la varianza de estos mapas, `seen`, o con las guardadas."""
    mean, variance = seen or (w["running_mean"], w["running_var"])
    turn = (slice(None), None, None)
    y = (x - mean[turn]) / (variance + 1e-5).sqrt()[turn]
    return y * w["weight"][turn] + w["bias"][turn]


def stage(
    x: Tensor, w: Weights, flaw: str = "", *, learning: bool = False, kept: Weights | None = None
) -> Tensor:
    """Una etapa de la torre de imagen; en `kept` apunta la media que guarda cada norma."""
    first, kept = x, {} if kept is None else kept
    learning = (learning and flaw != "siempre-guardadas") or flaw.startswith("de-este-lote")
    for n in ("1", "2"):
        x = _conv(x, w[f"conv{n}.weight"])
        if flaw == "relu-delante":
            x = x.clamp(min=0)
        name = "norm1" if flaw == "una-norma" else f"norm{n}"
        seen = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
        if flaw != "sin-norma":
            x = _batch_norm(x, inside(w, name), seen if learning else None)
        if name in kept and learning and flaw not in ("sin-norma", "de-este-lote-sin-guardar"):
            kept[name] = 0.9 * kept[name] + 0.1 * seen[0]  # un décimo hacia lo que ve
        bare = flaw == "relu-delante" or flaw == "sin-relu-final" and n == "2"
        bare = bare or flaw == "sin-relu-media" and n == "1"
        x = x if bare else x.clamp(min=0)
    return x + first if flaw == "residuo" else x


def image_tower(images: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """La torre de imagen: etapas, media del mapa y proyección."""
    depths = len({name.split(".")[1] for name in w if name.startswith("stages.")})
    x = images
    for depth in range(depths):
        if (depth and flaw != "sin-reducir") or flaw == "reduce-al-entrar":
            x = F.avg_pool2d(x, 2) if flaw == "media-al-reducir" else F.max_pool2d(x, 2)
        x = stage(x, inside(w, f"stages.{depth}"))
    if flaw == "reduce-al-salir":
        x = F.max_pool2d(x, 2)
    summary = x.amax((2, 3)) if flaw == "maximo" else x.mean((2, 3))
    if flaw == "suma":
        summary = x.sum((2, 3))
    if flaw == "una-esquina":
        summary = x[..., 0, 0]
    y = F.linear(summary, w["head.weight"], w["head.bias"])
    return y / y.norm(dim=-1, keepdim=True) if flaw == "normalizada" else y


def attention(x: Tensor, mask: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Autoatención que no mira el relleno."""
    parts = []
    for name in ("q", "k", "v"):
        y = F.linear(x, w[f"{name}_proj.weight"], w[f"{name}_proj.bias"])
        if flaw == "reparto":
            parts.append(y.reshape(len(y), n_heads, y.shape[1], -1))
        else:
            parts.append(torch.stack(y.chunk(n_heads, -1), 1))
    q, k, v = parts
    size = x.shape[-1] if flaw == "escala-modelo" else q.shape[-1]
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores if flaw == "sin-escala" else scores / math.sqrt(size)
    seen = mask[:, None, None].expand_as(scores)
    if flaw == "despues":
        weights = scores.softmax(-1) * seen
    elif flaw == "a-cero":
        weights = (scores * seen).softmax(-1)
    elif flaw == "sin-mascara":
        weights = scores.softmax(-1)
    elif flaw == "al-reves":
        weights = scores.masked_fill(seen, -torch.inf).softmax(-1)
    else:
        number = FILLS.get(flaw, -torch.inf)
        weights = scores.masked_fill(~seen, number).softmax(-1)
    mixed = torch.einsum("bhqk,bhkd->bhqd", weights, v)
    joined = torch.cat([*mixed.unbind(1)], -1)
    if flaw == "junta-mal":
        joined = mixed.reshape(joined.shape)
    if flaw == "sin-salida":
        return joined
    return F.linear(joined, w["out_proj.weight"], w["out_proj.bias"])


def _norm(x: Tensor, w: Weights, eps: float = 1e-12) -> Tensor:
    centered = x - x.mean(-1, keepdim=True)
    variance = centered.square().mean(-1, keepdim=True)
    return centered / (variance + eps).sqrt() * w["weight"] + w["bias"]


def _network(x: Tensor, w: Weights, activation: str) -> Tensor:
    h = F.linear(x, w["hidden.weight"], w["hidden.bias"])
    exact = h * 0.5 * (1 + torch.erf(h / math.sqrt(2)))
    h = {"gelu": exact, "relu": h.clamp(min=0), "tanh": F.gelu(h, approximate="tanh")}[activation]
    return F.linear(h, w["output.weight"], w["output.bias"])


def block(x: Tensor, mask: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Bloque de la torre de texto, con la norma detrás."""
    eps = 1e-5 if flaw == "epsilon" else 1e-12
    own, first, second = inside(w, "attention"), inside(w, "norm1"), inside(w, "norm2")
    seen = torch.ones_like(mask) if flaw == "sin-mascara" else mask
    activation = flaw if flaw in ("relu", "tanh") else "gelu"
    if flaw == "una-norma":
        second = first
    if flaw == "delante":
        x = x + attention(_norm(x, first), seen, own, n_heads)
        return x + _network(_norm(x, second), w, activation)
    z = attention(x, seen, own, n_heads)
    if flaw == "residuo-fuera":
        x = x + _norm(z, first, eps)
        return x + _norm(_network(x, w, activation), second, eps)
    bare = flaw == "sin-residuo"
    x = _norm(z if bare else x + z, first, eps)
    z = _network(x, w, activation)
    return _norm(z if bare else x + z, second, eps)


def text_states(tokens: Tensor, lengths: Tensor, w: Weights, sizes: dict, flaw: str = "") -> Tensor:
    """Un vector por token, con el relleno a cero."""
    length = tokens.shape[1]
    mask = (tokens != 0) if flaw == "del-token" else torch.arange(length) < lengths[:, None]
    rows = torch.arange(length) + (1 if flaw == "posiciones-corridas" else 0)
    x = w["embedding.weight"][tokens]
    if flaw == "escala":
        x = x * x.shape[-1] ** 0.5
    if flaw != "sin-posiciones":
        x = x + w["positions.weight"][rows]
    if flaw != "sin-norma":
        x = _norm(x, inside(w, "norm"), 1e-5 if flaw == "epsilon" else 1e-12)
    seen = torch.ones_like(mask) if flaw == "sin-mascara" else mask
    for depth in range(1 if flaw == "un-bloque" else sizes["n_layers"]):
        x = block(x, seen, inside(w, f"blocks.{depth}"), sizes["n_heads"])
    if flaw == "norma-al-final":
        x = _norm(x, inside(w, "norm"))
    return x


def text_tower(
    tokens: Tensor, lengths: Tensor, w: Weights, sizes: dict, flaw: str = ""
) -> dict[str, Tensor]:
    """Los estados de los tokens de verdad y el resumen, su media."""
    states = text_states(tokens, lengths, w, sizes, "" if flaw == "del-token" else flaw)
    mask = (torch.arange(tokens.shape[1]) < lengths[:, None])[..., None]
    kept = states * mask
    summary = kept.sum(1) / lengths[:, None]
    if flaw == "media-con-relleno":
        summary = states.mean(1)
    if flaw == "entre-todos":
        summary = kept.mean(1)
    if flaw == "primero":
        summary = states[:, 0]
    if flaw == "ultimo":
        summary = states[torch.arange(len(states)), lengths - 1]
    if flaw == "ultima-columna":
        summary = states[:, -1]
    if flaw == "del-token":  # `states` recibe su máscara; el resumen, la que se equivoca
        own = (tokens != 0)[..., None]
        summary = (text_states(tokens, lengths, w, sizes, flaw) * own).sum(1) / own.sum(1)
    return {"estados": kept, "resumen": summary}


def _unit(x: Tensor) -> Tensor:
    return x / x.square().sum(-1, keepdim=True).sqrt()


def clip(
    images: Tensor, tokens: Tensor, lengths: Tensor, w: Weights, sizes: dict, flaw: str = ""
) -> dict[str, Tensor]:
    """Los vectores de los dos lados, la escala y los logits."""
    seen = image_tower(images, inside(w, "image_tower"))
    summary = text_tower(tokens, lengths, inside(w, "text_tower"), sizes)["resumen"]
    if flaw == "normaliza-antes":
        summary = _unit(summary)
    said = summary @ w["text_projection.weight"].T
    seen = seen if flaw in ("sin-normalizar", "imagen-sin-normalizar") else _unit(seen)
    bare = flaw in ("sin-normalizar", "texto-sin-normalizar", "normaliza-antes")
    said = said if bare else _unit(said)
    scale = w["log_scale"].exp().clamp(max=100.0)
    if flaw == "sin-tope":
        scale = w["log_scale"].exp()
    if flaw == "tope-en-el-logaritmo":
        scale = w["log_scale"].clamp(max=100.0).exp()
    if flaw == "temperatura":
        scale = (-w["log_scale"]).exp().clamp(max=100.0)
    if flaw == "sin-exponencial":
        scale = w["log_scale"].clamp(max=100.0)
    logits = seen @ said.T
    if flaw == "textos-por-filas":
        logits = logits.T
    logits = logits if flaw == "sin-escala" else scale * logits
    return {"dibujos": seen, "textos": said, "escala": scale, "logits": logits}
