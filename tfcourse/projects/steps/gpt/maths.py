"""Las cuentas de GPT, de funciones sueltas: lo que se espera de cada pieza.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from tfcourse.projects.steps.drawing import FILLS, inside

Weights = dict[str, Tensor]


def norm(x: Tensor, gain: Tensor, flaw: str = "") -> Tensor:
    """Norma cuadrática media, con ε = 1e-6."""
    if flaw == "media":
        x = x - x.mean(-1, keepdim=True)
    power = x.pow(2).sum(-1, keepdim=True)
    if flaw != "suma":
        power = power / x.shape[-1]
    if flaw == "eje":
        power = x.pow(2).mean(1, keepdim=True)
    size = torch.sqrt(power) + 1e-6 if flaw == "epsilon" else torch.sqrt(power + 1e-6)
    if flaw == "epsilon-ausente":
        size = torch.sqrt(power)
    if flaw == "epsilon-otro":
        size = torch.sqrt(power + 1e-5)
    if flaw == "sin-raiz":
        size = power + 1e-6
    y = x / size
    if flaw == "ganancia-sumada":
        return y + gain
    return y if flaw == "sin-ganancia" else y * gain


def turn(x: Tensor, start: int = 0, flaw: str = "") -> Tensor:
    """Gira cada pareja (i, i + Dh/2) como un número complejo, el ángulo de su posición."""
    half = x.shape[-1] // 2
    places = torch.arange(x.shape[-2], dtype=torch.float64) + (0 if flaw == "desde-cero" else start)
    if flaw == "desde-uno":
        places = places + 1
    exponent = torch.arange(half, dtype=torch.float64) / (x.shape[-1] if flaw == "paso" else half)
    angles = places[:, None] * 10_000.0**-exponent
    if flaw == "al-reves":
        angles = -angles
    spin = torch.polar(torch.ones_like(angles), angles)
    pairs = (x[..., 0::2], x[..., 1::2]) if flaw == "vecinas" else (x[..., :half], x[..., half:])
    turned = torch.complex(*(p.double() for p in pairs)) * spin
    parts = turned.real, turned.imag
    joined = torch.stack(parts, -1).flatten(-2) if flaw == "vecinas" else torch.cat(parts, -1)
    return joined.to(x.dtype)


def heads(x: Tensor, w: Weights, n_heads: int, start: int, flaw: str = "") -> list[Tensor]:
    """Consultas y claves giradas, y valores, de cada cabeza."""
    found = []
    for name in ("q", "k", "v"):
        y = F.linear(x, w[f"{name}_proj.weight"], w[f"{name}_proj.bias"])
        if flaw == "reparto":
            y = y.reshape(len(x), n_heads, x.shape[1], -1)
        elif flaw == "entrelazadas":
            y = y.unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)
        else:
            y = torch.stack(y.chunk(n_heads, -1), 1)
        turned = name != "v" or flaw == "gira-valores"
        turned = turned and flaw != "sin-giro" and not (flaw == "solo-consultas" and name == "k")
        found.append(turn(y, 0 if flaw == "sin-start" else start) if turned else y)
    return found


def mix(q: Tensor, k: Tensor, v: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Atención causal: las consultas son las últimas posiciones."""
    scale = {"sin-escala": 1.0, "escala-entera": q.shape[-1] ** -1.0}.get(flaw, q.shape[-1] ** -0.5)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale
    place = torch.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
    if flaw == "primeras":
        place = torch.arange(q.shape[2])[:, None]
    future = torch.arange(k.shape[2]) > place
    if flaw == "estricta":
        future = torch.arange(k.shape[2]) >= place
        future[:, 0] = False
    if flaw == "futuro":
        future = torch.zeros_like(future)
    if flaw == "despues":
        weights = scores.softmax(-1).masked_fill(future, 0.0)
    else:
        hidden = FILLS.get(flaw, -torch.inf)
        scores = scores.masked_fill(future, hidden)
        weights = scores.softmax(2 if flaw == "eje" else -1)
    mixed = torch.einsum("bhqk,bhkd->bhqd", weights, v)
    joined = torch.cat([*mixed.unbind(1)], -1)
    if flaw == "junta-mal":
        joined = mixed.reshape(joined.shape)
    if flaw == "sin-salida":
        return joined
    return F.linear(joined, w["out_proj.weight"], w["out_proj.bias"])


def attention(x: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Autoatención causal con posiciones giradas."""
    return mix(*heads(x, w, n_heads, 0, flaw), w, flaw)


def feed_forward(x: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Red por posición, con la GELU aproximada por la tangente hiperbólica."""
    h = F.linear(x, w["hidden.weight"], w["hidden.bias"])
    if flaw == "exacta":
        h = 0.5 * h * (1 + torch.erf(h / 2**0.5))
    elif flaw == "relu":
        h = h.clamp(min=0)
    elif flaw != "lineal":
        h = 0.5 * h * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (h + 0.044715 * h**3)))
    y = F.linear(h, w["output.weight"], w["output.bias"])
    return y + x if flaw == "residuo" else y


def block(x: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """Bloque con la norma delante: x + atención(norma(x)), y otra vez con la red."""
    first, second = w["norm1.gain"], w["norm2.gain"]
    if flaw == "una-norma":
        second = first
    own, network = inside(w, "attention"), inside(w, "feed_forward")
    if flaw == "detras":
        x = norm(x + attention(x, own, n_heads), first)
        return norm(x + feed_forward(x, network), second)
    y = attention(norm(x, first), own, n_heads)
    if flaw == "en-paralelo":
        return x + y + feed_forward(norm(x, second), network)
    x = y if flaw == "sin-residuo" else norm(x, first) + y if flaw == "residuo-normado" else x + y
    z = feed_forward(x if flaw == "red-sin-norma" else norm(x, second), network)
    return z if flaw == "sin-residuo" else x + z


def model(tokens: Tensor, w: Weights, n_heads: int, flaw: str = "") -> dict[str, Tensor]:
    """GPT, piso a piso, y sus logits."""
    x = w["embedding.weight"][tokens]
    if flaw == "escala":
        x = x * x.shape[-1] ** 0.5
    found = {"embeddings": x}
    n_layers = 1 + max(int(name.split(".")[1]) for name in w if name.startswith("blocks."))
    for depth in range(n_layers):
        own = 0 if flaw == "el-mismo-bloque" else depth
        x = block(x, inside(w, f"blocks.{own}"), n_heads)
        found[f"bloque {depth}"] = x
    closed = x if flaw == "sin-norma-final" else norm(x, w["closing_norm.gain"])
    logits = closed @ w["embedding.weight"].T
    found["norma final"] = closed
    found["logits"] = logits.softmax(-1) if flaw == "probabilidades" else logits
    return found
