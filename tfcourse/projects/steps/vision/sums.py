"""Las cuentas del ViT y de la cabeza que detecta, de funciones sueltas.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from tfcourse.projects.steps.drawing import inside

Weights = dict[str, Tensor]


def patches(images: Tensor, size: int, flaw: str = "") -> Tensor:
    """Los parches, cortados uno a uno."""
    rows, columns = images.shape[2] // size, images.shape[3] // size
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    if flaw == "por-columnas":
        cells = [(i, j) for j in range(columns) for i in range(rows)]
    found = []
    for i, j in cells:
        own = images[:, :, i * size : (i + 1) * size, j * size : (j + 1) * size]
        if flaw == "canal-al-final":
            own = own.permute(0, 2, 3, 1)
        found.append(own.transpose(2, 3) if flaw == "traspuestos" else own)
    joined = torch.stack([own.flatten(1) for own in found], dim=1)
    if flaw == "sin-intercambiar":  # los números, seguidos, como están en memoria
        return images.reshape(joined.shape)
    return joined


def entrance(images: Tensor, w: Weights, size: int, flaw: str = "") -> Tensor:
    """Los vectores que lee el codificador: el de clase y los de los parches."""
    x = F.linear(patches(images, size), w["projection.weight"], w["projection.bias"])
    first = w["class_token"].repeat(len(x), 1, 1)
    places = w["positions"]
    if flaw == "clase-detras":
        return torch.cat([x, first], 1) + places
    if flaw == "clase-sin-posicion":
        return torch.cat([first, x + places[1:]], 1)
    if flaw == "posiciones-corridas":
        return torch.cat([first + places[-1], x + places[:-1]], 1)
    if flaw == "sin-clase":
        return x + places[1:]
    joined = torch.cat([first, x], 1)
    return joined if flaw == "sin-posiciones" else joined + places


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, w: Weights, n_heads: int, flaw: str = ""
) -> Tensor:
    """Atención multicabeza."""
    if flaw == "valores-de-las-claves":
        values = keys
    if flaw == "claves-de-los-valores":
        keys = values
    parts = []
    for name, given in (("q", queries), ("k", keys), ("v", values)):
        y = F.linear(given, w[f"{name}_proj.weight"], w[f"{name}_proj.bias"])
        if flaw == "reparto":
            parts.append(y.reshape(len(y), n_heads, y.shape[1], -1))
        else:
            parts.append(torch.stack(y.chunk(n_heads, -1), 1))
    q, k, v = parts
    size = queries.shape[-1] if flaw == "escala-modelo" else q.shape[-1]
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores if flaw == "sin-escala" else scores / math.sqrt(size)
    mixed = torch.einsum("bhqk,bhkd->bhqd", scores.softmax(2 if flaw == "eje" else -1), v)
    joined = torch.cat([*mixed.unbind(1)], -1)
    if flaw == "junta-mal":
        joined = mixed.reshape(joined.shape)
    if flaw == "sin-salida":
        return joined
    return F.linear(joined, w["out_proj.weight"], w["out_proj.bias"])


def _norm(x: Tensor, w: Weights, eps: float) -> Tensor:
    centered = x - x.mean(-1, keepdim=True)
    variance = centered.square().mean(-1, keepdim=True)
    return centered / (variance + eps).sqrt() * w["weight"] + w["bias"]


def _network(x: Tensor, w: Weights, activation: str) -> Tensor:
    h = F.linear(x, w["hidden.weight"], w["hidden.bias"])
    exact = h * 0.5 * (1 + torch.erf(h / math.sqrt(2)))
    h = {"gelu": exact, "relu": h.clamp(min=0), "tanh": F.gelu(h, approximate="tanh")}[activation]
    return F.linear(h, w["output.weight"], w["output.bias"])


def encoder_block(x: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Bloque del ViT, con la norma delante."""
    eps = 1e-5 if flaw == "epsilon" else 1e-6
    own, first, second = inside(w, "attention"), inside(w, "norm1"), inside(w, "norm2")
    activation = flaw if flaw in ("relu", "tanh") else "gelu"
    if flaw == "detras":
        x = _norm(x + attention(x, x, x, own, n_heads), first, eps)
        return _norm(x + _network(x, w, activation), second, eps)
    y = _norm(x, first, eps)
    values = x if flaw == "valores-sin-norma" else y
    z = attention(y, y, values, own, n_heads)
    x = z if flaw == "sin-residuo" else y + z if flaw == "residuo-normado" else x + z
    z = _network(_norm(x, first if flaw == "una-norma" else second, eps), w, activation)
    return z if flaw == "sin-residuo" else x + z


def vit(images: Tensor, w: Weights, sizes: dict, flaw: str = "") -> dict[str, Tensor]:
    """El ViT, hasta sus logits."""
    x = entrance(images, inside(w, "input"), sizes["patch_size"])
    for depth in range(1 if flaw == "un-bloque" else sizes["n_layers"]):
        x = encoder_block(x, inside(w, f"blocks.{depth}"), sizes["n_heads"])
    eps = 1e-5 if flaw == "epsilon" else 1e-6
    states = x if flaw == "sin-norma" else _norm(x, inside(w, "norm"), eps)
    summary = {
        "ultimo-parche": states[:, -1], "media": states.mean(1),
        "media-de-parches": states[:, 1:].mean(1),
    }.get(flaw, states[:, 0])  # fmt: skip
    logits = F.linear(summary, w["head.weight"], w["head.bias"])
    return {"estados": states, "logits": logits.softmax(-1) if flaw == "softmax" else logits}


def object_block(
    x: Tensor, memory: Tensor, places: Tensor, positions: Tensor, w: Weights, n_heads: int,
    flaw: str = "",
) -> Tensor:  # fmt: skip
    """Bloque de las consultas: se hablan, miran la imagen y pasan por la red."""
    own, cross = inside(w, "attention"), inside(w, "cross_attention")
    norms = [inside(w, f"norm{n}") for n in (1, 2, 3)]

    def talk(x: Tensor) -> Tensor:
        y = _norm(x, norms[0], 1e-5)
        p = 0.0 if flaw == "habla-sin-posicion" else places
        mixed = y + p if flaw in ("valores", "valores-al-hablar") else y
        return x + attention(y + p, y + p, mixed, own, n_heads)

    def look(x: Tensor) -> Tensor:
        y = _norm(x, norms[1], 1e-5)
        p = 0.0 if flaw == "mira-sin-posicion" else places
        m = 0.0 if flaw == "memoria-sin-posicion" else positions
        seen = _norm(memory, norms[1], 1e-5) if flaw == "memoria-normada" else memory
        mixed = seen + m if flaw in ("valores", "valores-al-mirar") else seen
        z = attention(y + p, seen + m, mixed, cross, n_heads)
        return z if flaw == "sin-residuo" else x + z

    x = talk(look(x)) if flaw == "orden" else look(talk(x))
    activation = "gelu" if flaw == "gelu" else "relu"
    z = _network(_norm(x, norms[2], 1e-5), w, activation)
    return z if flaw == "sin-residuo" else x + z


def detector(
    memory: Tensor, positions: Tensor, w: Weights, sizes: dict, flaw: str = ""
) -> dict[str, Tensor]:
    """Lo que responde cada bloque de la cabeza que detecta."""
    queries = w["queries.weight"]
    x = (queries if flaw == "empieza-en-consultas" else torch.zeros_like(queries))[None]
    x = x.repeat(len(memory), 1, 1)
    found = {}
    for depth in range(sizes["n_layers"]):
        own = inside(w, f"blocks.{depth}")
        x = object_block(x, memory, queries, positions, own, sizes["n_heads"])
        last = depth == sizes["n_layers"] - 1
        if flaw == "norma-que-pasa":
            x = _norm(x, inside(w, "norm"), 1e-5)
        bare = flaw in ("sin-norma", "norma-que-pasa") or flaw == "norma-al-final" and not last
        y = x if bare else _norm(x, inside(w, "norm"), 1e-5)
        logits = F.linear(y, w["class_head.weight"], w["class_head.bias"])
        h = y
        for n in (0, 2, 4):
            h = F.linear(h, w[f"box_head.{n}.weight"], w[f"box_head.{n}.bias"])
            h = h if n == 4 else h.clamp(min=0)
        found[f"logits del bloque {depth}"] = logits.softmax(-1) if flaw == "softmax" else logits
        found[f"cajas del bloque {depth}"] = h if flaw == "cajas-sin-acotar" else h.sigmoid()
    return found
