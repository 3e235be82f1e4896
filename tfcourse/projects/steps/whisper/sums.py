"""Las cuentas del Whisper, de funciones sueltas: lo que se espera de cada pieza.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from tfcourse.projects.steps.drawing import FILLS, inside

Weights = dict[str, Tensor]
Pair = tuple[Tensor, Tensor]


def places(length: int, d_model: int, flaw: str = "") -> Tensor:
    """Los senos y los cosenos, número a número."""
    half = d_model // 2
    spread = half if flaw == "divide-entre-mitad" else half - 1
    rates = [10_000 ** (-i / spread) for i in range(half)]
    rows = []
    for t in range(length):
        sines, cosines = [math.sin(t * r) for r in rates], [math.cos(t * r) for r in rates]
        if flaw == "intercalados":
            rows.append([x for pair in zip(sines, cosines, strict=True) for x in pair])
        else:
            rows.append(cosines + sines if flaw == "cosenos-delante" else sines + cosines)
    return torch.tensor(rows)


def _convolve(x: Tensor, w: Weights, name: str, stride: int, padding: int) -> Tensor:
    """Una convolución de tres columnas, columna a columna: (B, C, L) a (B, D, L')."""
    weight, bias = w[f"{name}.weight"], w[f"{name}.bias"]
    x = F.pad(x, (padding, padding))
    starts = range(0, x.shape[2] - 2, stride)
    columns = [torch.einsum("bck,dck->bd", x[:, :, i : i + 3], weight) + bias for i in starts]
    return torch.stack(columns, 2)


def entrance(mels: Tensor, w: Weights, flaw: str = "") -> Tensor:
    """Lo que leen los bloques que oyen."""
    kind = flaw if flaw in ("relu", "tanh") else "gelu"
    strides = {"sin-zancada": (1, 1), "zancada-primera": (2, 1)}.get(flaw, (1, 2))
    padding = 0 if flaw == "sin-relleno" else 1
    x = _activate(_convolve(mels, w, "first", strides[0], padding), kind)
    x = _convolve(x, w, "second", strides[1], padding)
    x = (x if flaw == "una-gelu" else _activate(x, kind)).transpose(1, 2)
    return x if flaw == "sin-posiciones" else x + places(x.shape[1], x.shape[2], flaw)


def prepare(source: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Pair:
    """Las claves y los valores, por cabezas."""
    k = F.linear(source, w["k_proj.weight"])
    v = F.linear(source, w["v_proj.weight"], w["v_proj.bias"])
    k, v = (_heads(y, n_heads, flaw) for y in (k, v))
    return (v, k) if flaw == "cambiadas" else (k, v)


def _heads(y: Tensor, n_heads: int, flaw: str) -> Tensor:
    if flaw == "reparto":
        return y.reshape(len(y), n_heads, y.shape[1], -1)
    return torch.stack(y.chunk(n_heads, -1), 1)


def weights(x: Tensor, keys: Tensor, w: Weights, causal: bool, flaw: str = "") -> Tensor:
    """A qué mira cada vector; con `causal`, los de `x` son los últimos."""
    n_heads, size = keys.shape[1], keys.shape[3]
    q = _heads(F.linear(x, w["q_proj.weight"], w["q_proj.bias"]), n_heads, flaw)
    size = size * n_heads if flaw == "escala-modelo" else size
    scores = torch.einsum("bhqd,bhkd->bhqk", q, keys)
    scores = scores if flaw == "sin-escala" else scores / math.sqrt(size)
    causal = {"ve-el-futuro": False, "siempre-causal": True}.get(flaw, causal)
    if causal:
        first = 0 if flaw == "desde-el-principio" else keys.shape[2] - x.shape[1]
        hidden = torch.tensor(
            [[j > first + i for j in range(keys.shape[2])] for i in range(x.shape[1])]
        )
        if flaw == "tapa-despues":
            return scores.softmax(-1) * ~hidden
        number = FILLS.get(flaw, -math.inf)
        scores = scores.masked_fill(hidden, number)
    return scores.softmax(2 if flaw == "eje" else -1)


def attention(x: Tensor, seen: Pair, w: Weights, causal: bool = False, flaw: str = "") -> Tensor:
    """Lo que cada vector se lleva de lo que mira."""
    keys, values = seen
    mixed = torch.einsum("bhqk,bhkd->bhqd", weights(x, keys, w, causal, flaw), values)
    joined = torch.cat([*mixed.unbind(1)], -1)
    if flaw == "junta-mal":
        joined = mixed.reshape(joined.shape)
    if flaw == "sin-salida":
        return joined
    return F.linear(joined, w["out_proj.weight"], w["out_proj.bias"])


def _norm(x: Tensor, w: Weights, eps: float = 1e-5) -> Tensor:
    centered = x - x.mean(-1, keepdim=True)
    scale = (centered.square().mean(-1, keepdim=True) + eps).sqrt()
    return centered / scale * w["weight"] + w["bias"]


def _activate(x: Tensor, kind: str) -> Tensor:
    exact = x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    return {"gelu": exact, "relu": x.clamp(min=0), "tanh": F.gelu(x, approximate="tanh")}[kind]


def _network(x: Tensor, w: Weights, flaw: str) -> Tensor:
    kind = flaw if flaw in ("relu", "tanh") else "gelu"
    h = _activate(F.linear(x, w["hidden.weight"], w["hidden.bias"]), kind)
    return F.linear(h, w["output.weight"], w["output.bias"])


def listen(x: Tensor, w: Weights, n_heads: int, flaw: str = "") -> Tensor:
    """El bloque que oye."""
    own, first = inside(w, "attention"), inside(w, "norm1")
    second = first if flaw == "una-norma" else inside(w, "norm2")
    eps = 1e-6 if flaw == "epsilon" else 1e-5

    def look(y: Tensor, source: Tensor) -> Tensor:
        return attention(y, prepare(source, own, n_heads), own, flaw == "causal")

    if flaw == "detras":
        x = _norm(x + look(x, x), first)
        return _norm(x + _network(x, w, flaw), second)
    y = _norm(x, first, eps)
    z = look(y, x if flaw == "claves-sin-norma" else y)
    x = {"sin-residuo": z, "residuo-normado": y + z}.get(flaw, x + z)
    z = _network(_norm(x, second, eps), w, flaw)
    return z if flaw == "sin-residuo" else x + z


def write(
    x: Tensor, heard: Pair, past: Pair | None, w: Weights, n_heads: int, flaw: str = ""
) -> tuple[Tensor, Pair]:
    """El bloque que escribe: lo nuevo, y las claves y los valores de todo lo escrito."""
    own, cross = inside(w, "attention"), inside(w, "cross_attention")
    norms = [inside(w, f"norm{n}") for n in (1, 2, 3)]
    eps = 1e-6 if flaw == "epsilon" else 1e-5
    blind = flaw != "ve-el-futuro" and (past is None or flaw != "futuro-con-cache")

    def talk(x: Tensor) -> tuple[Tensor, Pair, Pair]:
        y = _norm(x, norms[0], eps)
        new = every = prepare(y, own, n_heads)
        if past is not None and flaw != "olvida":
            every = tuple(torch.cat([a, b], 2) for a, b in zip(past, new, strict=True))
        if past is not None and flaw == "detras-lo-viejo":
            every = tuple(torch.cat([b, a], 2) for a, b in zip(past, new, strict=True))
        z = attention(y, every, own, blind)
        return z if flaw == "sin-residuo" else x + z, every, new

    def look(x: Tensor) -> Tensor:
        y = x if flaw == "cruzada-sin-norma" else _norm(x, norms[1], eps)
        z = attention(y, heard, cross, flaw == "cruzada-causal")
        return z if flaw == "sin-residuo" else x + z

    if flaw == "orden":
        x, every, new = talk(look(x))
    else:
        x, every, new = talk(x)
        x = look(x)
    z = _network(_norm(x, norms[1 if flaw == "una-norma" else 2], eps), w, flaw)
    return (z if flaw == "sin-residuo" else x + z), (new if flaw == "solo-lo-nuevo" else every)


def encode(mels: Tensor, w: Weights, sizes: dict, flaw: str = "") -> Tensor:
    """Lo oído: un vector cada dos columnas."""
    x = entrance(mels, inside(w, "input"))
    for depth in range(1 if flaw == "un-bloque" else sizes["n_layers"]):
        x = listen(x, inside(w, f"listening.{depth}"), sizes["n_heads"])
    return x if flaw == "oido-sin-norma" else _norm(x, inside(w, "heard_norm"))


def start(memory: Tensor, w: Weights, sizes: dict) -> list[Pair]:
    """De cada bloque, lo que mirará del sonido."""
    owns = [inside(w, f"writing.{n}.cross_attention") for n in range(sizes["n_layers"])]
    return [prepare(memory, own, sizes["n_heads"]) for own in owns]


def step(
    tokens: Tensor, heard: list, past: list | None, w: Weights, sizes: dict, flaw: str = ""
) -> tuple[Tensor, list]:
    """Los logits de lo que sigue a cada token nuevo, y la caché."""
    table = w["embedding.weight"]
    begin = 0 if past is None or flaw == "lugar-desde-cero" else past[0][0].shape[2]
    own = w["places.weight"][begin : begin + tokens.shape[1]]
    x = table[tokens] if flaw == "sin-posiciones" else table[tokens] + own
    past = [None] * sizes["n_layers"] if past is None or flaw == "olvida" else past
    now = []
    for depth in range(1 if flaw == "un-bloque" else sizes["n_layers"]):
        weights = inside(w, f"writing.{depth}")
        x, kept = write(x, heard[depth], past[depth], weights, sizes["n_heads"])
        now.append(kept)
    x = x if flaw == "escrito-sin-norma" else _norm(x, inside(w, "written_norm"))
    logits = x @ table.T
    return logits.softmax(-1) if flaw == "probabilidades" else logits, now


def whole(
    mels: Tensor, tokens: Tensor, first: int, w: Weights, sizes: dict, flaw: str = ""
) -> dict[str, Tensor]:
    """Lo oído, los logits de una vez y los de escribir a trozos: `first` tokens y de uno en uno."""
    memory = encode(mels, w, sizes, flaw)
    heard = start(memory, w, sizes)
    every, _ = step(tokens, heard, None, w, sizes, flaw)
    begun, past = step(tokens[:, :first], heard, None, w, sizes, flaw)
    together, _ = step(tokens[:, first:], heard, past, w, sizes, flaw)
    later = []
    for place in range(first, tokens.shape[1]):
        row, past = step(tokens[:, place : place + 1], heard, past, w, sizes, flaw)
        later.append(row)
    return {
        "lo oído": memory, "logits de una vez": every, "logits del comienzo": begun,
        "logits de uno en uno": torch.cat(later, 1),
        "logits de los demás, juntos y desde la misma caché": together,
    }  # fmt: skip


def writing_loss(
    logits: Tensor, tokens: Tensor, n_prompt: int, stop: int, flaw: str = ""
) -> Tensor:
    """La sorpresa media de las palabras y del primer fin, fila a fila."""
    shift = 0 if flaw == "sin-desplazar" else 1
    rows = []
    for own, row in zip(logits.log_softmax(-1), tokens.tolist(), strict=True):
        length = row.index(stop) + (flaw != "sin-fin") if stop in row else len(row)
        if flaw == "cuenta-el-relleno":
            length = len(row)
        start = {"cuenta-lo-dado": 1, "salta-una": n_prompt + 1}.get(flaw, n_prompt)
        kept = list(range(start, length))
        rows.append(-own[[t - 1 for t in kept], [row[t - 1 + shift] for t in kept]])
    if flaw == "por-frase":
        return torch.stack([row.mean() for row in rows]).mean()
    total = torch.cat(rows)
    if flaw == "suma":
        return total.sum()
    return total.sum() / logits[..., 0].numel() if flaw == "divide-entre-todos" else total.mean()
